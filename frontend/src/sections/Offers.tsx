import { useEffect, useState } from "react";
import type { BandWords } from "@/components/Band";
import { Pictogram } from "@/components/Pictogram";
import { SampleTag } from "@/components/SampleTag";
import { clinicDay, dayInWords, daysLeft, isRunning } from "@/lib/offers";
import styles from "./Offers.module.css";

interface Offer {
  id: string;
  title: string;
  text: string;
  terms: string;
  starts: string;
  ends: string;
  sample: boolean;
}

interface Props {
  id: string;
  words: {
    heading: BandWords;
    offers: readonly Offer[];
    until: string;
    left: { last: string; one: string; many: string };
  };
}

/** Within this many days of the end, the days left are shown. */
const LAST_DAYS = 14;

function timeLeft(days: number, left: Props["words"]["left"]): string {
  return days === 0 ? left.last : days === 1 ? left.one : left.many.replace("{days}", `${days}`);
}

/** Today at the clinic. Null while pre-rendering and hydrating: a page is read on a later day than it was built. */
function useToday(): string | null {
  const [today, setToday] = useState<string | null>(null);
  useEffect(() => {
    // In a task of its own: the first use of Intl takes milliseconds.
    const timer = setTimeout(() => setToday(clinicDay(new Date())));
    return () => clearTimeout(timer);
  }, []);
  return today;
}

function RunningOffer({
  offer,
  words,
  today,
}: {
  offer: Offer;
  words: Props["words"];
  today: string | null;
}) {
  const days = today === null ? LAST_DAYS + 1 : daysLeft(offer, today);
  return (
    <li className={styles.offer}>
      <h3 className={styles.title}>{offer.title}</h3>
      <p>
        {offer.text} <span className={styles.terms}>{offer.terms}</span>{" "}
        <time dateTime={offer.ends} className={styles.until}>
          {words.until.replace("{day}", dayInWords(offer.ends))}
        </time>{" "}
        {days <= LAST_DAYS && <strong>{timeLeft(days, words.left)}</strong>}
      </p>
    </li>
  );
}

/**
 * The offers that run today. All of them are pre-rendered, and filtered by date after hydration. While none runs, only the
 * anchor is left, without height: a path that leads to the offers leads to what follows them.
 */
export function Offers({ id, words }: Props) {
  const today = useToday();
  const running = words.offers.filter((offer) => today === null || isRunning(offer, today));
  if (running.length === 0) {
    return <section id={id} />;
  }
  return (
    <section id={id} className={styles.strip} aria-labelledby={`${id}-title`}>
      <div className={styles.row}>
        <div className={styles.head}>
          <Pictogram name="calendar" className={styles.sign} />
          <p className={styles.overline}>
            {words.heading.overline} {running.some(({ sample }) => sample) && <SampleTag />}
          </p>
          <h2 id={`${id}-title`} className={styles.heading} tabIndex={-1} data-section-title>
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
