import { Band } from "@/components/Band";
import { Picture } from "@/components/Picture";
import type { PictureFile } from "@/lib/pictures";
import ui from "@/styles/ui.module.css";
import styles from "./Dentists.module.css";

interface Dentist extends Omit<Content<"dentists.yaml">["dentists"][number], "portrait" | "consent"> {
  /** Drawn in place of a portrait. */
  initials: string;
  /** Aspect ratio 4:5. */
  portrait: PictureFile | null;
}

interface Props {
  words: Content<"dentists.yaml">["words"];
  dentists: readonly Dentist[];
}

/** Who treats the patients, each with the number under which a register lists them. */
export function Dentists({ words, dentists }: Props) {
  return (
    <Band id="dentists" words={words} tone="paper" sample={dentists.some(({ sample }) => sample)}>
      <ul className={styles.list}>
        {dentists.map(({ name, title, registration, languages, initials, portrait }) => (
          <li key={name} className={styles.dentist}>
            {portrait ? (
              <Picture file={portrait} alt={name} sizes="120px" className={styles.portrait} />
            ) : (
              <span className={styles.initials} aria-hidden="true">
                {initials}
              </span>
            )}
            <div>
              <h3 className={ui.minor}>{name}</h3>
              <p>{title}</p>
              <p className={ui.small}>{words.registration.replace("{number}", registration)}</p>
              <p className={ui.small}>{words.languages.replace("{languages}", languages.join(", "))}</p>
            </div>
          </li>
        ))}
      </ul>
    </Band>
  );
}
