/** Figures the site states, each in one place. All are samples until the clinic has put its evidence behind them. */
export const claims = {
  rating: { value: "4.7", words: "4.7 rating" },
  globalPatients: { value: "100,000+", words: "100,000+ global patients" },
  years: { value: "15+", words: "15+ years" },
  patientsPerYear: { value: "15,000+", words: "15,000+ patients per year" },
  dentists: { value: "30+", words: "30+ dentists" },
  languages: { value: "15", words: "15 languages" },
  warranty: { value: "15 year", words: "15 year warranty" },
  savings: { value: "70%", words: "up to 70% savings" },
  reply: { value: "24 hours", words: "within 24 hours" },
} as const;
