/** For tests: the table of addresses and of what must come of each, shared with the API's tests. It tells its own rules. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "../../../tests/attribution_urls.json");

type Text = string | { text: string; times: number } | Text[];
type Texts = Record<string, Text>;

interface Table {
  origin: string;
  times: string[];
  columns: Record<string, string>;
  cases: {
    name: string;
    visits: { url: Text; referrer?: string; sameSession?: boolean }[];
    sent: Texts;
    last?: Texts;
    first?: Texts;
  }[];
}

export interface Visit {
  path: string;
  referrer: string;
  at: string;
  sameSession: boolean;
}

type Values = Record<string, string>;

export interface Case {
  name: string;
  visits: Visit[];
  /** The campaign fields that are not empty, and no others. */
  campaign: Values;
  /** Time, landing page and referrer, without those that are empty. */
  arrival: Values;
  /** Null without a campaign. */
  first: Values | null;
}

export const table = JSON.parse(readFileSync(FILE, "utf8")) as Table;

function spell(text: Text): string {
  if (typeof text === "string") {
    return text;
  }
  return Array.isArray(text) ? text.map(spell).join("") : text.text.repeat(text.times);
}

const spellAll = (texts: Texts = {}): Values =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, spell(text)]));

const withoutEmpty = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));

function read(row: Table["cases"][number]): Case {
  const visits = row.visits.map(({ url, referrer = "", sameSession = false }, index) => ({
    path: spell(url),
    referrer,
    at: table.times[index] ?? "",
    sameSession,
  }));
  const campaign = spellAll(row.sent);
  const only = visits.length === 1 ? visits[0] : undefined;
  const known = Object.keys(campaign).length > 0;
  const single: Values = only
    ? {
        timestamp: known ? only.at : "",
        landingUrl: table.origin + only.path,
        referrer: only.referrer,
      }
    : {};
  const arrival = withoutEmpty({ ...single, ...spellAll(row.last) });
  const first = row.first ? spellAll(row.first) : { ...campaign, ...arrival };
  return {
    name: row.name,
    visits,
    campaign,
    arrival,
    first: known ? first : null,
  };
}

export const cases: Case[] = table.cases.map(read);
