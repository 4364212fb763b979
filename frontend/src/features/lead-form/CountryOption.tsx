import { useEffect, useRef } from "react";
import styles from "./CountryList.module.css";
import type { Country } from "./countries";
import { flagUrl } from "./flags";

interface Props {
  id: string;
  country: Country;
  selected: boolean;
  /** The keyboard is on it. Focus itself stays in the search. */
  active: boolean;
  onChoose: (country: Country) => void;
}

export function CountryOption({ id, country, selected, active, onChoose }: Props) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) {
      option.current?.scrollIntoView?.({ block: "nearest" });
    }
  }, [active]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above handles the keys for its options.
    // biome-ignore lint/a11y/useFocusableInteractive: options of a combobox are pointed at, not focused.
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={selected}
      data-active={active ? "" : undefined}
      className={styles.option}
      onClick={() => onChoose(country)}
    >
      <img src={flagUrl(country.iso)} alt="" width={24} height={16} loading="lazy" />
      <span className={styles.name}>{country.name}</span>
      <span className={styles.code}>{country.dialCode}</span>
    </div>
  );
}
