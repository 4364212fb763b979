import {
  type KeyboardEvent,
  type RefObject,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { Icon } from "@/components/Icon";
import { addSheet } from "@/lib/lateSheet";
import { wrapIndex } from "@/lib/wrapIndex";
import rules from "./CountryList.css?inline";
import { type Country, everyCountry, flagUrl, priorityCountries, searchCountries } from "./countries";
import type { LeadFormWords } from "./fields";

addSheet(rules);

const TOGETHER = 7; // options that are laid out at once, when they come near

interface SearchProps {
  typed: string;
  selected: string;
  onChoose: (country: Country) => void;
  onClose: (giveFocusBack: boolean) => void;
}

/** The state of the open list: what matches, which option is active, and the keys of a combobox. */
function useCountrySearch({ typed, selected, onChoose, onClose }: SearchProps) {
  const [text, setText] = useState(typed);
  const [activeId, setActiveId] = useState(typed ? "" : selected);
  const found = searchCountries(everyCountry, text);
  const index = Math.max(
    0,
    found.findIndex(({ id }) => id === activeId),
  );
  const active: Country | undefined = found[index];

  function type(next: string): void {
    setText(next);
    setActiveId("");
  }

  function move(to: number): void {
    setActiveId(found[wrapIndex(to, found.length)]?.id ?? "");
  }

  /** True when the list handled the key. */
  function handle(key: string): boolean {
    switch (key) {
      case "ArrowDown":
        move(index + 1);
        return true;
      case "ArrowUp":
        move(index - 1);
        return true;
      case "Home":
        move(0);
        return true;
      case "End":
        move(found.length - 1);
        return true;
      case "Enter":
        if (active) {
          onChoose(active);
        }
        return true;
      case "Escape":
      case "Tab":
        onClose(true);
        return true;
      default:
        return false;
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (handle(event.key)) {
      event.preventDefault();
    }
  }

  return { text, type, found, active, onKeyDown };
}

/** Calls `onPress` when the pointer goes down outside all of these elements. */
function useOutsidePress(inside: readonly RefObject<HTMLElement | null>[], onPress: () => void): void {
  const onPointerDown = useEffectEvent(({ target }: PointerEvent) => {
    if (!inside.some(({ current }) => current?.contains(target as Node))) {
      onPress();
    }
  });
  useEffect(() => {
    const listen = (event: PointerEvent) => onPointerDown(event);
    document.addEventListener("pointerdown", listen);
    return () => document.removeEventListener("pointerdown", listen);
  }, []);
}

interface OptionProps {
  id: string;
  country: Country;
  selected: boolean;
  /** The option that Enter chooses. Focus stays in the search. */
  active: boolean;
  onChoose: (country: Country) => void;
}

function CountryOption({ id, country, selected, active, onChoose }: OptionProps) {
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
      className="countries-one"
      onClick={() => onChoose(country)}
    >
      <img src={flagUrl(country.iso)} alt="" width={24} height={16} loading="lazy" />
      <span className="countries-name">{country.name}</span>
      <span className="countries-code">{country.dialCode}</span>
    </div>
  );
}

interface Props {
  words: LeadFormWords["country"];
  selected: string;
  /** The initial text of the search. */
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
  // A press that opens the list waits for its search alone.
  const shown = useDeferredValue(search.found, []);
  const isListed = shown.length > 0;
  useOutsidePress([panel, opener], () => onClose(false));
  useEffect(() => {
    if (isListed) {
      panel.current?.scrollIntoView?.({ block: "nearest" });
    }
  }, [isListed]);
  // Of what was searched, the best comes first, whichever countries stand apart in the whole list.
  const apart = search.text.trim() === "" ? priorityCountries.length : 0;
  const others = shown.slice(apart);
  const optionId = (country: Country) => `${id}-${country.id.slice(1)}`;

  const group = (countries: readonly Country[], name: string) => (
    <div key={countries[0]?.id} className={name} role="presentation">
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
    <div ref={panel} className="countries" role="dialog" aria-label={words.list}>
      <div className="countries-search">
        <Icon name="search" />
        <input
          // The panel opens because the visitor asked for it; focus belongs in its search.
          // biome-ignore lint/a11y/noAutofocus: a dialog takes focus when it opens.
          autoFocus
          type="text"
          dir="auto"
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
      <div id={`${id}-list`} className="countries-list" role="listbox" aria-label={words.list}>
        {group(shown.slice(0, apart), "countries-first")}
        {others.map((_, at) => at % TOGETHER === 0 && group(others.slice(at, at + TOGETHER), "countries-some"))}
      </div>
      <p role="status" className="countries-none">
        {search.active ? "" : words.none}
      </p>
    </div>
  );
}
