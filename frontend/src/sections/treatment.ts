import type { Price } from "@/lib/money";

/** The content of a treatment card. */
export interface Treatment extends Price {
  id: string;
  title: string;
  unit: string | null;
  image: string;
  alt: string;
  highlights: readonly string[];
  details: {
    duration: string;
    visits: string;
    warranty: string;
    process: readonly string[];
    benefits: readonly string[];
    includes: readonly string[];
  };
}

/** The words that all treatment cards share. */
export interface TreatmentWords {
  off: string;
  today: string;
  price: string;
  was: string;
  save: string;
  open: string;
  close: string;
  duration: string;
  visits: string;
  warranty: string;
  process: string;
  benefits: string;
  includes: string;
  ask: string;
  wasUntil: string;
}
