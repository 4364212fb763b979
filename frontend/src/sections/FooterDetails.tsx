import { SampleTag } from "@/components/SampleTag";
import { dayInWords } from "@/lib/offers";
import styles from "./SiteFooter.module.css";

type Clinic = Content<"clinic.yaml">;

interface Props {
  words: Pick<Content<"site.yaml">["footer"], "aboutTitle" | "editorLabel" | "updatedLabel"> &
    Pick<Clinic, "editor" | "complaints"> & {
      updated: string;
      authorisation: Clinic["authorisation"] | null;
    };
}

/** Who is responsible for the site: authorisation, editor, last update, and where to complain. */
export function FooterDetails({ words }: Props) {
  const { authorisation, complaints } = words;
  return (
    <div id="clinic-details" tabIndex={-1} className={styles.details}>
      <h2 className={styles.title}>{words.aboutTitle}</h2>
      {authorisation && (
        <p>
          {authorisation.label}: {authorisation.number} {authorisation.sample && <SampleTag />}
        </p>
      )}
      <p>
        {words.editorLabel}: {words.editor}
      </p>
      <p>
        {words.updatedLabel}: <time dateTime={words.updated}>{dayInWords(words.updated)}</time>
      </p>
      <p data-complaints>
        {complaints.text} <a href={`mailto:${complaints.email}`}>{complaints.email}</a>
      </p>
    </div>
  );
}
