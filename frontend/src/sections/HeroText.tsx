import { Icon } from "@/components/Icon";
import { SampleTag } from "@/components/SampleTag";
import { HeroActions } from "./HeroActions";
import styles from "./HeroText.module.css";

/** `proof` is shown when no figure may be shown; `treatments` links to the treatments, on pages that have them. */
export interface HeroWords extends Readonly<Content<"heroes.yaml">["home"]> {
  claims: readonly { id: string; words: string; sample: boolean }[];
  primary: string;
  chat: string;
  treatments?: string;
}

export function HeroText({ words, source }: { words: HeroWords; source: string }) {
  return (
    <div className={styles.text}>
      <p className={styles.overline}>{words.overline}</p>
      <h1>{words.title}</h1>
      {words.claims.length === 0 ? (
        <p className={styles.proof}>{words.proof}</p>
      ) : (
        <ul className={styles.claims}>
          {words.claims.map(({ id, words: claim, sample }, place) => (
            <li key={id}>
              {claim} {sample && place === words.claims.length - 1 && <SampleTag />}
            </li>
          ))}
        </ul>
      )}
      <HeroActions primary={words.primary} chat={words.chat} source={source} />
      <p className={styles.line}>
        <Icon name="check" />
        {words.line}
      </p>
      {words.treatments && (
        <a href="#premium-treatments" className={styles.treatments}>
          {words.treatments}
          <Icon name="chevron" />
        </a>
      )}
    </div>
  );
}
