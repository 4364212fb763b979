import { Fragment, type ReactNode } from "react";
import { dayInWords } from "@/lib/offers";
import ui from "@/styles/ui.module.css";
import styles from "./LegalText.module.css";

interface LegalSection {
  id: string;
  title: string;
  text?: readonly string[] | undefined;
  items?: readonly string[] | undefined;
  after?: readonly string[] | undefined;
  /** Rendered after its text. */
  more?: ReactNode;
}

export interface LegalWords {
  contents: string;
  home: string;
  /** The line below the lead, which ends with a day like 2026-12-31. */
  dated: { text: string; day: string } | null;
  title: string;
  lead: string;
  sections: readonly LegalSection[];
}

interface Props {
  words: LegalWords;
  /** What stands in the text for the {name} of each. */
  values: Record<string, ReactNode>;
  /** Rendered above the title. */
  above?: ReactNode;
  /** Rendered after the text. */
  children?: ReactNode;
}

/** Which version of a legal text this is, and since when. */
export const versionLine = (words: { versionLabel: string; from: string }, version: string) => ({
  text: `${words.versionLabel} ${version}, ${words.from}`,
  day: version,
});

export const MailLink = ({ to }: { to: string }) => <a href={`mailto:${to}`}>{to}</a>;

/** A long text with its date, a table of contents and short paragraphs. */
export function LegalText({ words, values, above, children }: Props) {
  const filled = (text: string) =>
    text.split(/(\{\w+\})/).map((part) => <Fragment key={part}>{values[part.replace(/[{}]/g, "")] ?? part}</Fragment>);
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        {above}
        <h1 className={ui.title}>{words.title}</h1>
        <p className={styles.lead}>{words.lead}</p>
        {words.dated && (
          <p className={ui.small}>
            {words.dated.text} <time dateTime={words.dated.day}>{dayInWords(words.dated.day)}</time>
          </p>
        )}
      </header>
      <nav aria-label={words.contents} className={styles.contents}>
        <p className={styles.label}>{words.contents}</p>
        <ul>
          {words.sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.text}>
        {words.sections.map((section) => (
          <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
            <h2 id={`${section.id}-title`}>{section.title}</h2>
            <Paragraphs texts={section.text} filled={filled} />
            {section.items && (
              <ul className={styles.items}>
                {section.items.map((item) => (
                  <li key={item}>{filled(item)}</li>
                ))}
              </ul>
            )}
            <Paragraphs texts={section.after} filled={filled} />
            {section.more}
          </section>
        ))}
        {children}
        <p>
          <a href="/">{words.home}</a>
        </p>
      </div>
    </article>
  );
}

function Paragraphs({ texts = [], filled }: { texts: LegalSection["text"]; filled: (text: string) => ReactNode }) {
  return texts.map((text) => <p key={text}>{filled(text)}</p>);
}
