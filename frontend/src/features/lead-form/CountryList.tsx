import { type RefObject, useEffect, useId, useRef } from "react";
import { Icon } from "@/components/Icon";
import styles from "./CountryList.module.css";
import { CountryOption } from "./CountryOption";
import type { Country } from "./countries";
import { useCountrySearch } from "./useCountrySearch";
import { useOutsidePress } from "./useOutsidePress";
import type { LeadFormWords } from "./words";

interface Props {
  words: LeadFormWords["country"];
  selected: string;
  /** What the search begins with. */
  typed: string;
  opener: RefObject<HTMLElement | null>;
  onChoose: (country: Country) => void;
  onClose: (giveFocusBack: boolean) => void;
}

/** A searchable list under the country button: first the priority entries, then all others by name. */
export function CountryList({ words, selected, typed, opener, onChoose, onClose }: Props) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const search = useCountrySearch({ typed, selected, onChoose, onClose });
  useOutsidePress([panel, opener], () => onClose(false));
  useEffect(() => panel.current?.scrollIntoView?.({ block: "nearest" }), []);
  const optionId = (country: Country) => `${id}-${country.id.slice(1)}`;

  const group = (countries: readonly Country[], className: string | undefined) => (
    <div className={className} role="presentation">
      {countries.map((country) => (
        <CountryOption
          key={country.id}
          id={optionId(country)}
          country={country}
          selected={country.id === selected}
          active={country.id === search.active?.id}
          onChoose={onChoose}
        />
      ))}
    </div>
  );

  return (
    <div ref={panel} className={styles.panel} role="dialog" aria-label={words.list}>
      <div className={styles.search}>
        <Icon name="search" />
        <input
          // The panel opens because the visitor asked for it; focus belongs in its search.
          // biome-ignore lint/a11y/noAutofocus: a dialog takes focus when it opens.
          autoFocus
          type="text"
          role="combobox"
          aria-label={words.search}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={search.active ? optionId(search.active) : undefined}
          placeholder={words.search}
          autoComplete="off"
          spellCheck={false}
          value={search.text}
          onChange={(event) => search.type(event.target.value)}
          onKeyDown={search.onKeyDown}
        />
      </div>
      <div id={`${id}-list`} className={styles.list} role="listbox" aria-label={words.list}>
        {group(search.first, styles.first)}
        {group(search.others, undefined)}
        {search.active === undefined && <p className={styles.none}>{words.none}</p>}
      </div>
    </div>
  );
}
