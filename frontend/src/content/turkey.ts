import { landing as inEuros, home as inPounds, sample, source } from "#content/comparison.yaml";
import { home, landing } from "#content/prices.yaml";
import { turkey } from "#content/reasons.yaml";
import { treatments } from "#content/treatments.yaml";
import { claimsAt } from "./claims";

const LISTS = {
  home: { ...home, elsewhere: inPounds },
  landing: { ...landing, elsewhere: inEuros },
};

/** Why Turkey, and what the same costs elsewhere. Without samples the table shows our own prices alone. */
export function turkeyWords(list: "home" | "landing", samples: boolean) {
  const { currency, prices, elsewhere } = LISTS[list];
  const compared = samples || !sample;
  return {
    heading: {
      overline: "Why Turkey",
      title: "The same treatment, at a price that Istanbul makes possible",
    },
    claims: claimsAt("why-turkey", samples),
    lines: turkey,
    chat: "Ask what your case would cost",
    table: {
      title: compared ? "UK vs Turkey prices" : "Our prices",
      columns: {
        treatment: "Treatment",
        elsewhere: compared ? "In the UK" : "Before",
        here: "With us",
        saving: "You save",
      },
      currency,
      rows: treatments.map(({ id, title, unit }) => ({
        id,
        title,
        unit,
        price: prices[id].price,
        elsewhere: compared ? elsewhere[id] : prices[id].was,
      })),
      source: compared ? source : "Savings are counted against our own earlier prices.",
      sample: compared && sample,
    },
  };
}
