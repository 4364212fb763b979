/** The options of the native select, for the build alone: pages without a script have them from there. */
import { type Country, otherCountries, priorityCountries } from "./countries";

const asHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
/** The text is the value too, where the code alone tells the country. HTML needs no end of an option. */
const option = ({ id, name, dialCode }: Country) =>
  `<option${id === dialCode ? "" : ` value="${id}"`}>${asHtml(name)} ${dialCode}`;

/** HTML of all options but the first one, which the page has already. */
export function countryOptions(): string {
  return [...priorityCountries.slice(1), ...otherCountries].map(option).join("");
}
