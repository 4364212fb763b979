import type { ChangeEvent } from "react";
import styles from "./PhoneField.module.css";

/** Where the build writes all other countries, for pages that have no script. */
export const COUNTRIES_MARK = "<!--countries-->";
const OPTIONS = { __html: `<option>UK +44</option>${COUNTRIES_MARK}` };

interface Props {
  label: string;
  onChange?: (event: ChangeEvent<HTMLSelectElement>) => void;
}

/**
 * The country without any script: the value is the option's text ("UK +44"), or its id ("+1-ca"). React leaves the
 * options as the build wrote them, and the searchable list takes the select's place once its code is there.
 */
export function CountrySelect({ label, onChange }: Props) {
  return (
    <select
      name="countryCode"
      aria-label={label}
      autoComplete="tel-country-code"
      className={styles.country}
      onChange={onChange}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: one constant line, and what the build writes after it.
      dangerouslySetInnerHTML={OPTIONS}
      suppressHydrationWarning
    />
  );
}
