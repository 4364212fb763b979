import { Band } from "@/components/Band";
import { Icon } from "@/components/Icon";
import { Picture } from "@/components/Picture";
import { SampleTag } from "@/components/SampleTag";
import type { PictureFile } from "@/lib/pictures";
import ui from "@/styles/ui.module.css";
import styles from "./Dentists.module.css";

interface Dentist extends Omit<Content<"dentists.yaml">["dentists"][number], "portrait" | "consent"> {
  /** Drawn in place of a portrait; a sample has none, as nobody may take it for a person. */
  initials: string;
  /** Aspect ratio 4:5. */
  portrait: PictureFile | null;
}

interface Props {
  words: Content<"dentists.yaml">["words"];
  dentists: readonly Dentist[];
  /** In one row below a page's hero, instead of a section with a heading. */
  strip: boolean;
}

/** Who treats the patients, each with the number under which a register lists them. */
export function Dentists({ words, dentists, strip }: Props) {
  const sample = dentists.some((dentist) => dentist.sample);
  const Name = strip ? "p" : "h3";
  const list = (
    <ul className={styles.list}>
      {dentists.map(({ name, title, does, registration, check, languages, initials, portrait }) => (
        <li key={name} className={styles.dentist}>
          {portrait ? (
            <Picture file={portrait} alt={name} sizes="120px" className={styles.portrait} />
          ) : (
            <span className={styles.initials} aria-hidden="true">
              {sample ? <Icon name="people" /> : initials}
            </span>
          )}
          <div>
            <Name className={ui.plain}>{name}</Name>
            <p className={ui.small}>{title}</p>
            <p>{does}</p>
            <p className={ui.small}>
              {words.registration.replace("{number}", registration)} · <a href={check}>{words.check}</a>
            </p>
            {!strip && <p className={ui.small}>{words.languages.replace("{languages}", languages.join(", "))}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
  return strip ? (
    <section id="dentists" className={styles.strip} aria-label={words.title}>
      {list}
      {sample && <SampleTag />}
    </section>
  ) : (
    <Band id="dentists" words={words} tone="paper" sample={sample}>
      {list}
    </Band>
  );
}
