import type { Price } from "@/lib/money";

/** What a treatment card says. */
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
