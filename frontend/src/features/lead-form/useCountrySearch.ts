import { type KeyboardEvent, useState } from "react";
import { type Country, otherCountries, priorityCountries, searchCountries } from "./countries";

interface Parts {
  typed: string;
  selected: string;
  onChoose: (country: Country) => void;
  onClose: (giveFocusBack: boolean) => void;
}

/** The open list: what matches, which option the keyboard is on, and the keys of a combobox. */
export function useCountrySearch({ typed, selected, onChoose, onClose }: Parts) {
  const [text, setText] = useState(typed);
  const [activeId, setActiveId] = useState(typed ? "" : selected);
  const first = searchCountries(priorityCountries, text);
  const others = searchCountries(otherCountries, text);
  const found = [...first, ...others];
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
    setActiveId(found[(to + found.length) % found.length]?.id ?? "");
  }

  /** True when the key was one of the list's. */
  function act(key: string): boolean {
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
    if (act(event.key)) {
      event.preventDefault();
    }
  }

  return { text, type, first, others, active, onKeyDown };
}
