/** The form's late chunk: nothing here may be imported by the first load. */
import { zodResolver } from "@hookform/resolvers/zod";
import { leadSchema } from "./schema";

export { ErrorSummary } from "@/components/form/ErrorSummary";
export { CountryList } from "./CountryList";
export { countryById, flagUrl, guessCountry, otherCountry } from "./countries";
export { wrongFields } from "./schema";
export { StartToken } from "./startToken";
export { submissionFor, submitLead } from "./submission";

export const resolver = zodResolver(leadSchema);
