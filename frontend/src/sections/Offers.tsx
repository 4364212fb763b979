import { useEffect, useState } from "react";
import { Band, type BandWords } from "@/components/Band";
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
  tone: "paper" | "white" | "mint";
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

/**
 * The offers that run today. All of them are pre-rendered, and filtered by date after hydration. While none runs, only the
 * anchor is left, without height: a path that leads to the offers leads to what follows them.
 */
export function Offers({ id, words, tone }: Props) {
  const today = useToday();
  const running = words.offers.filter((offer) => today === null || isRunning(offer, today));
  if (running.length === 0) {
    return <section id={id} />;
  }
  return (
    <Band id={id} words={words.heading} tone={tone} sample={running.some(({ sample }) => sample)}>
      <ul className={styles.offers}>
        {running.map((offer) => {
          const days = today === null ? LAST_DAYS + 1 : daysLeft(offer, today);
          return (
            <li key={offer.id} className={styles.offer}>
              <h3 className={styles.title}>{offer.title}</h3>
              <p>{offer.text}</p>
              <p className={styles.terms}>{offer.terms}</p>
              <p className={styles.until}>
                <time dateTime={offer.ends}>{words.until.replace("{day}", dayInWords(offer.ends))}</time>
                {days <= LAST_DAYS && <strong>{timeLeft(days, words.left)}</strong>}
              </p>
            </li>
          );
        })}
      </ul>
    </Band>
  );
}
