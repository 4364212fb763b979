/** The form's late chunk: nothing here may be imported by the first load. */
export { ErrorSummary } from "@/components/form/ErrorSummary";
export { CountryList } from "./CountryList";
export { flagUrl, guessCountry, otherCountry } from "./countries";
export { createFormController } from "./formController";
export { wrongFields } from "./schema";
export { prepareStart } from "./startToken";
export { submissionFor, submitLead } from "./submission";
