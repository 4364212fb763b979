import { Fragment } from "react";
import { SampleTag } from "@/components/SampleTag";
import { Days } from "@/sections/Days";
import ui from "@/styles/ui.module.css";
import styles from "./LegalText.module.css";

interface Props {
  points: readonly { label: string; text: string }[];
  /** A calendar. */
  days: readonly { label: string; text: string }[];
  texts: readonly string[];
  /** Whether something in it is a sample. */
  sample: boolean;
  /** Before the sources. */
  from: string;
  sources: readonly { name: string; address: string }[];
}

/** What a topic of a long text has besides its answer. */
export function TopicDetails({ points, days, texts, sample, from, sources }: Props) {
  return (
    <>
      {points.length > 0 && (
        <ul className={styles.items}>
          {points.map(({ label, text }) => (
            <li key={label}>
              <strong>{label}.</strong> {text}
            </li>
          ))}
        </ul>
      )}
      {days.length > 0 && <Days days={days} />}
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {sample && <SampleTag />}
      {sources.length > 0 && (
        <p className={ui.small}>
          {from}{" "}
          {sources.map(({ name, address }, place) => (
            <Fragment key={address}>
              {place > 0 && "; "}
              <a href={address}>{name}</a>
            </Fragment>
          ))}
        </p>
      )}
    </>
  );
}
