/** What arrives with the form's late chunk, and nothing of which the first load may import. */

export { ErrorSummary } from "@/components/form/ErrorSummary";
export { CountryList } from "./CountryList";
export { createLeadFormEngine } from "./engine";
export { flagUrl } from "./flags";
export { guessCountry } from "./guessCountry";
export { submissionFor, submitLead } from "./submitLead";
