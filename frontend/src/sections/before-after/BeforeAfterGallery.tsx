import { Band, type BandWords } from "@/components/Band";
import { TipGroup } from "@/components/Tip";
import styles from "./BeforeAfterGallery.module.css";
import { type Case, CaseCard, type CaseWords } from "./CaseCard";

export interface BeforeAfterWords extends BandWords, CaseWords {}

interface Props {
  id: string;
  words: BeforeAfterWords;
  cases: readonly Case[];
}

export function BeforeAfterGallery({ id, words, cases }: Props) {
  return (
    <Band id={id} words={words} tone="mint" sample={cases.some(({ sample }) => sample)}>
      <TipGroup>
        <ul className={styles.cases}>
          {cases.map((shown) => (
            <li key={shown.id}>
              <CaseCard words={words} shown={shown} />
            </li>
          ))}
        </ul>
      </TipGroup>
    </Band>
  );
}
