import type { BandWords } from "@/components/Band";
import { Pictogram } from "@/components/Pictogram";
import { SampleTag } from "@/components/SampleTag";
import { dayInWords, daysLeft } from "@/lib/offers";
import { useRunning } from "@/lib/useRunning";
import ui from "@/styles/ui.module.css";
import styles from "./Offers.module.css";

type Offer = Omit<Content<"offers.yaml">["offers"][number], "places">;
type Words = Content<"offers.yaml">["words"] & { heading: BandWords; offers: readonly Offer[] };

/** Within this many days of the end, the days left are shown. */
const LAST_DAYS = 14;

function timeLeft(days: number, left: Words["left"]): string {
  return days === 0 ? left.last : days === 1 ? left.one : left.many.replace("{days}", `${days}`);
}

function RunningOffer({ offer, words, today }: { offer: Offer; words: Words; today: string | null }) {
  const days = today === null ? LAST_DAYS + 1 : daysLeft(offer, today);
  return (
    <li className={styles.offer}>
      <h3 className={ui.plain}>{offer.title}</h3>
      <p>
        {offer.text} <span className={ui.muted}>{offer.terms}</span>{" "}
        <time dateTime={offer.ends} className={styles.until}>
          {words.until.replace("{day}", dayInWords(offer.ends))}
        </time>{" "}
        {days <= LAST_DAYS && <strong>{timeLeft(days, words.left)}</strong>}
      </p>
    </li>
  );
}

/**
 * The offers that run today. While none runs, only the anchor is left, without height: a path that leads to the offers leads
 * to what follows them.
 */
export function Offers({ id, words }: { id: string; words: Words }) {
  const { today, running } = useRunning(words.offers);
  if (running.length === 0) {
    return <section id={id} />;
  }
  return (
    <section id={id} tabIndex={-1} className={styles.strip} aria-labelledby={`${id}-title`}>
      <div className={styles.row}>
        <div className={styles.head}>
          <Pictogram name="calendar" className={styles.sign} />
          <p className={ui.overline}>
            {words.heading.overline} {running.some(({ sample }) => sample) && <SampleTag />}
          </p>
          <h2 id={`${id}-title`} className={ui.modest}>
            {words.heading.title}
          </h2>
        </div>
        <ul className={styles.offers}>
          {running.map((offer) => (
            <RunningOffer key={offer.id} offer={offer} words={words} today={today} />
          ))}
        </ul>
      </div>
    </section>
  );
}
