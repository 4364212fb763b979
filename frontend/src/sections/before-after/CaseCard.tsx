import { Icon } from "@/components/Icon";
import { Tip } from "@/components/Tip";
import hidden from "@/components/VisuallyHidden.module.css";
import type { PictureFile } from "@/lib/pictures";
import styles from "./CaseCard.module.css";
import { CompareSlider, type CompareWords } from "./CompareSlider";

export interface Case {
  id: string;
  patientName: string;
  location: string;
  treatment: string;
  /** Out of five. */
  rating: number;
  /** Drawn or rendered, not photographed: the picture is then stamped as an illustration. */
  illustration: boolean;
  before: PictureFile;
  after: PictureFile;
  sample: boolean;
}

export interface CaseWords extends CompareWords {
  stamp: string;
  /** Contains {rating}: the text alternative to the stars. */
  rating: string;
  /** Where the rating comes from. */
  ratingSource: { sample: string; real: string };
}

interface Props {
  words: CaseWords;
  shown: Case;
}

const STARS = [1, 2, 3, 4, 5];

export function CaseCard({ words, shown }: Props) {
  const { treatment, patientName, location, rating } = shown;
  return (
    <article className={styles.card}>
      <CompareSlider
        words={words}
        name={treatment}
        before={shown.before}
        after={shown.after}
        stamp={shown.illustration ? words.stamp : null}
      />
      <div className={styles.text}>
        <h3 className={styles.treatment}>{treatment}</h3>
        <Tip text={words.ratingSource[shown.sample ? "sample" : "real"]} className={styles.rating}>
          <span className={styles.stars} aria-hidden="true">
            {STARS.filter((star) => star <= rating).map((star) => (
              <Icon key={star} name="star" />
            ))}
          </span>
          <span className={hidden.hidden}>{words.rating.replace("{rating}", String(rating))}</span>
        </Tip>
        <p className={styles.who}>
          {patientName}, {location}
        </p>
      </div>
    </article>
  );
}
