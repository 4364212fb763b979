import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { type ControlProps, controlClass, Field, fieldDescription } from "@/components/form/Field";
import { Icon } from "@/components/Icon";
import { logFailure } from "@/lib/log";
import { CountrySelect } from "./CountrySelect";
import type { Country } from "./countries";
import { type LeadFormWords, LIMITS } from "./fields";
import styles from "./PhoneField.module.css";
import type { LoadedForm } from "./useLeadForm";

/** A country as the closed button shows it. */
type ChosenCountry = Omit<Country, "alias">;

/** The native select's first one, until the list of countries has loaded. */
const DEFAULT_COUNTRY: ChosenCountry = { id: "+44", dialCode: "+44", iso: "GB", name: "UK" };

/**
 * The selected country: guessed once, when the form's chunk has loaded. The visitor's own choice always wins, and a
 * number that stands beside the code already was typed for that code.
 */
export function useCountryChoice() {
  const [country, setCountry] = useState<ChosenCountry>(DEFAULT_COUNTRY);
  const current = useRef(country);
  const chosen = useRef(false);
  const started = useRef<LoadedForm | null>(null);

  function apply({ setCountryCode }: LoadedForm, next: ChosenCountry): void {
    current.current = next;
    setCountry(next);
    setCountryCode(next.id);
  }

  /** `selected`: the value that the native select has. The first one stands there before anybody chose. */
  function start(loaded: LoadedForm, selected: string, isPhoneEmpty: () => boolean): void {
    started.current = loaded;
    const own = loaded.chunk.countryById(selected);
    if (own && (chosen.current || own.id !== DEFAULT_COUNTRY.id)) {
      choose(loaded, own);
      return;
    }
    loaded.setCountryCode(current.current.id);
    loaded.chunk
      .guessCountry(navigator.languages)
      .then((guessed) => {
        if (!chosen.current && isPhoneEmpty()) {
          apply(loaded, guessed);
        }
      })
      .catch((cause: unknown) => logFailure("Guessing the country", cause));
  }

  function choose(loaded: LoadedForm, next: ChosenCountry): void {
    chosen.current = true;
    apply(loaded, next);
  }

  /** The native select was used: before the list's code came, or in the moment until the list is drawn in its place. */
  function touch(selected: string): void {
    chosen.current = true;
    const own = started.current?.chunk.countryById(selected);
    if (started.current && own) {
      choose(started.current, own);
    }
  }

  return { country, start, choose, touch, currentIso: () => current.current.iso };
}

interface ButtonProps {
  button: RefObject<HTMLButtonElement | null>;
  label: string;
  country: ChosenCountry;
  flag: string;
  expanded: boolean;
  onClick: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function CountryButton({ button, label, country, flag, expanded, onClick, onKeyDown }: ButtonProps) {
  return (
    <button
      ref={button}
      type="button"
      className={`${styles.country} countries-button`}
      aria-label={`${label}: ${country.name} ${country.dialCode}`}
      aria-haspopup="dialog"
      aria-expanded={expanded}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <img src={flag} alt="" width={27} height={18} />
      <span>{country.dialCode}</span>
      <Icon name="chevron" />
    </button>
  );
}

interface Props {
  field: ControlProps;
  words: LeadFormWords;
  error: string | undefined;
  country: ChosenCountry;
  loaded: LoadedForm | null;
  /** The native select was used. */
  onSelect: (selected: string) => void;
  onChoose: (loaded: LoadedForm, country: ChosenCountry) => void;
}

export function PhoneField({ field, words, error, country, loaded, onSelect, onChoose }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  /** The text typed on the closed button, which the search starts with; null while the list is closed. */
  const [search, setSearch] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  // What was typed or filled in before the list of countries was there.
  useEffect(() => {
    setTyped(loaded ? (input.current?.value ?? "") : "");
  }, [loaded]);
  const described = fieldDescription(field.id, words.hints.phone, error);
  const List = loaded?.chunk.CountryList;
  const other = loaded?.chunk.otherCountry(typed, country.dialCode);

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
      setSearch(letter ? event.key : "");
    }
  }

  return (
    <Field id={field.id} name={field.name} label={words.labels.phone} required hint={words.hints.phone} error={error}>
      <div className={styles.row}>
        {loaded ? (
          <>
            <CountryButton
              button={button}
              label={words.country.button}
              country={country}
              flag={loaded.chunk.flagUrl(country.iso)}
              expanded={search !== null}
              onClick={() => (search === null ? setSearch("") : close(true))}
              onKeyDown={onKeyDown}
            />
            <input
              type="hidden"
              name="countryCode"
              // As the native select has it: without the script it is sent, and a draft may be restored there.
              value={country.id === country.dialCode ? `${country.name} ${country.dialCode}` : country.id}
              readOnly
            />
          </>
        ) : (
          <CountrySelect label={words.country.button} onChange={(event) => onSelect(event.target.value)} />
        )}
        <input
          {...field}
          {...described}
          ref={(element) => {
            input.current = element;
            field.ref?.(element);
          }}
          onChange={(event) => {
            setTyped(event.target.value);
            field.onChange?.(event);
          }}
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          aria-required
          maxLength={LIMITS.phone}
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
      {loaded && (
        <p role="status" className="countries-change">
          {other && (
            <button type="button" onClick={() => onChoose(loaded, other)}>
              {words.country.change.replace("{country}", other.name).replace("{code}", other.dialCode)}
            </button>
          )}
        </p>
      )}
    </Field>
  );
}
