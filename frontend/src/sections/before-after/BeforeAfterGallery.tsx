import { Band } from "@/components/Band";
import { Icon } from "@/components/Icon";
import { Picture } from "@/components/Picture";
import { FORM_SECTION } from "@/components/places";
import type { PictureFile } from "@/lib/pictures";
import { Carousel } from "@/sections/carousel/Carousel";
import ui from "@/styles/ui.module.css";
import styles from "./BeforeAfterGallery.module.css";
import { CompareSlider } from "./CompareSlider";

type Words = Content<"cases.yaml">["words"];

interface Case extends Pick<Content<"cases.yaml">["cases"][number], "id" | "treatment" | "story" | "start" | "sample"> {
  /** Null without a patient's written consent: the pictures are then stamped as an illustration. `rating`: out of five. */
  patient: { name: string; location: string; rating: number } | null;
  before: PictureFile;
  after: PictureFile;
}

const STARS = [1, 2, 3, 4, 5];

function CaseCard({ words, shown }: { words: Words; shown: Case }) {
  const { treatment, story, patient } = shown;
  return (
    <article className={styles.card}>
      <CompareSlider
        words={words}
        name={treatment}
        before={shown.before}
        after={shown.after}
        start={shown.start}
        stamp={patient ? null : words.stamp}
      />
      <div>
        <h3 className={styles.treatment}>{treatment}</h3>
        <p className={ui.small}>{story}</p>
        {patient && (
          <p className={ui.small}>
            <span className={styles.stars} aria-hidden="true">
              {STARS.filter((star) => star <= patient.rating).map((star) => (
                <Icon key={star} name="star" />
              ))}
            </span>
            <span className={ui.hidden}>{words.rating.replace("{rating}", String(patient.rating))}</span>
            {` ${patient.name}, ${patient.location}`}
          </p>
        )}
      </div>
    </article>
  );
}

/** An aim that has no price and no case: it leads to the form. */
function Smile({ words, picture }: { words: Words["smile"]; picture: PictureFile }) {
  return (
    <figure className={styles.smile}>
      <Picture file={picture} alt={words.alt} sizes="144px" />
      <figcaption className={ui.small}>
        <strong>{words.title}</strong>
        <p>{words.text}</p>
        <a href={`#${FORM_SECTION}`} className={ui.alone}>
          {words.ask}
        </a>
      </figcaption>
    </figure>
  );
}

interface Props {
  id: string;
  words: Words;
  cases: readonly Case[];
  smile: PictureFile;
}

export function BeforeAfterGallery({ id, words, cases, smile }: Props) {
  const slides = cases.map((shown) => ({
    id: shown.id,
    name: shown.treatment,
    content: <CaseCard words={words} shown={shown} />,
  }));
  return (
    <Band
      id={id}
      words={words}
      tone="mint"
      sample={cases.some(({ sample }) => sample)}
      aside={<Smile words={words.smile} picture={smile} />}
    >
      <Carousel words={words} slides={slides} />
    </Band>
  );
}
