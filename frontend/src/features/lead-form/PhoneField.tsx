import { type KeyboardEvent, useRef, useState } from "react";
import { type ControlProps, controlClass, Field, fieldDescription } from "@/components/form/Field";
import { logFailure } from "@/lib/log";
import { CountryButton } from "./CountryButton";
import type { ChosenCountry } from "./fields";
import styles from "./PhoneField.module.css";
import type { LoadedForm } from "./useEngine";
import type { LeadFormWords } from "./words";

interface Props {
  field: ControlProps;
  words: LeadFormWords;
  error: string | undefined;
  country: ChosenCountry;
  loaded: LoadedForm | null;
  load: () => Promise<LoadedForm>;
  onChoose: (loaded: LoadedForm, country: ChosenCountry) => void;
}

export function PhoneField({ field, words, error, country, loaded, load, onChoose }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  /** What was typed on the closed button, with which the list opens; null while it is closed. */
  const [search, setSearch] = useState<string | null>(null);
  const described = fieldDescription(field.id, words.hints.phone, error);
  const List = loaded?.chunk.CountryList;

  function open(typed: string): void {
    setSearch(typed);
    load().catch((cause: unknown) => logFailure("Loading the countries", cause));
  }

  function close(giveFocusBack: boolean): void {
    setSearch(null);
    if (giveFocusBack) {
      button.current?.focus();
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    const letter = /^[a-z+]$/i.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (letter || event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      open(letter ? event.key : "");
    }
  }

  return (
    <Field id={field.id} label={words.labels.phone} required hint={words.hints.phone} error={error}>
      <div className={styles.row}>
        <CountryButton
          button={button}
          label={words.country.button}
          country={country}
          flag={loaded?.chunk.flagUrl(country.iso)}
          expanded={search !== null}
          onClick={() => (search === null ? open("") : close(true))}
          onKeyDown={onKeyDown}
        />
        <input
          {...field}
          {...described}
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          aria-required
          maxLength={250}
          className={controlClass}
        />
        {search !== null && List && (
          <List
            words={words.country}
            selected={country.id}
            typed={search}
            opener={button}
            onChoose={(next) => {
              close(true);
              onChoose(loaded, next);
            }}
            onClose={close}
          />
        )}
      </div>
    </Field>
  );
}
