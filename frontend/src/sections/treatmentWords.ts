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
