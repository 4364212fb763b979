/** The form's late chunk: nothing here may be imported by the first load. */
export { ErrorSummary } from "@/components/form/ErrorSummary";
export { CountryList } from "./CountryList";
export { countryById, flagUrl, guessCountry, otherCountry } from "./countries";
export { createFormController } from "./formController";
export { wrongFields } from "./schema";
export { isSiteThere, prepareStart, startHeaders } from "./startToken";
export { submissionFor, submitLead } from "./submission";
