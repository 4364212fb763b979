import type { MouseEvent } from "react";
import { Icon } from "@/components/Icon";
import styles from "./ErrorSummary.module.css";

export interface WrongField {
  name: string;
  message: string;
}

interface Props {
  words: { one: string; many: string };
  wrong: readonly WrongField[];
  idOf: (name: string) => string;
}

/** Lists what is still wrong, with a link to each field. Focus moves to the first field, so this is no live region. */
export function ErrorSummary({ words, wrong, idOf }: Props) {
  if (wrong.length === 0) {
    return null;
  }

  function focusField(event: MouseEvent, name: string): void {
    event.preventDefault();
    document.getElementById(idOf(name))?.focus();
  }

  const heading = wrong.length === 1 ? words.one : words.many.replace("{count}", String(wrong.length));
  return (
    <section className={styles.summary} aria-label={heading}>
      <p className={styles.heading}>
        <Icon name="alert" />
        {heading}
      </p>
      <ul>
        {wrong.map(({ name, message }) => (
          <li key={name}>
            <a href={`#${idOf(name)}`} onClick={(event) => focusField(event, name)}>
              {message}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
