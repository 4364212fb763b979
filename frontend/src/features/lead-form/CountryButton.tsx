import type { KeyboardEvent, RefObject } from "react";
import { Icon } from "@/components/Icon";
import styles from "./CountryButton.module.css";
import type { ChosenCountry } from "./fields";

interface Props {
  button: RefObject<HTMLButtonElement | null>;
  label: string;
  country: ChosenCountry;
  /** Comes with the form's late chunk; until then the region's letters stand in its place. */
  flag: string | undefined;
  expanded: boolean;
  onClick: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

export function CountryButton({ button, label, country, flag, expanded, onClick, onKeyDown }: Props) {
  return (
    <button
      ref={button}
      type="button"
      className={styles.button}
      aria-label={`${label}: ${country.name} ${country.dialCode}`}
      aria-haspopup="dialog"
      aria-expanded={expanded}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <span className={styles.chip}>
        {flag ? <img src={flag} alt="" width={24} height={16} /> : country.iso}
      </span>
      <span className={styles.code}>{country.dialCode}</span>
      <Icon name="chevron" className={styles.chevron} />
    </button>
  );
}
