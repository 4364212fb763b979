import { Band, type BandWords } from "@/components/Band";
import buttons from "@/components/button.module.css";
import { ChatLink } from "@/components/ContactLinks";
import { Icon, type IconName } from "@/components/Icon";
import ui from "@/styles/ui.module.css";
import { COMPARISON, PriceTable, type PriceTableWords } from "./PriceTable";
import styles from "./WhyTurkey.module.css";

interface Props {
  words: {
    heading: BandWords;
    claims: readonly { id: string; icon: IconName; words: string; sample: boolean }[];
    lines: readonly { title: string; text: string }[];
    /** Whether a line rests on a claim that is a sample. */
    sample: boolean;
    chat: string;
    /** Null where no comparison may be shown: a link to the prices stands there instead. */
    table: PriceTableWords | null;
    prices: { title: string; lead: string; link: string };
  };
  source: string;
}

export function WhyTurkey({ words, source }: Props) {
  const sample = words.sample || words.claims.some((claim) => claim.sample);
  return (
    <Band id="why-choose-turkey" words={words.heading} tone="white" sample={sample}>
      <div className={styles.columns}>
        <div className={styles.lines}>
          {words.claims.length > 0 && (
            <ul className={styles.claims}>
              {words.claims.map(({ id, icon, words: text }) => (
                <li key={id}>
                  <Icon name={icon} />
                  <span>{text}</span>
                </li>
              ))}
            </ul>
          )}
          {words.lines.map(({ title, text }) => (
            <div key={title} className={styles.line}>
              <h3 className={ui.minor}>{title}</h3>
              <p className={ui.muted}>{text}</p>
            </div>
          ))}
          <ChatLink source={source} className={buttons.quiet}>
            <Icon name="chat" />
            {words.chat}
          </ChatLink>
        </div>
        {words.table ? (
          <PriceTable words={words.table} />
        ) : (
          <div id={COMPARISON} tabIndex={-1} className={styles.line}>
            <h3 className={ui.minor}>{words.prices.title}</h3>
            <p className={ui.muted}>{words.prices.lead}</p>
            <a href="#premium-treatments" className={ui.alone}>
              {words.prices.link}
            </a>
          </div>
        )}
      </div>
    </Band>
  );
}
