/** @vitest-environment-options { "url": "https://clinic.example/" } */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { ENTRY } from "@/features/lead-form/entryFixture";
import { leadBody } from "@/features/lead-form/submission";
import { noteArrival } from "./attribution";
import { recordChatClick } from "./whatsapp";

/** Addresses and what must come of each, shared with the API's tests. It tells its own rules. */
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

interface Visit {
  path: string;
  referrer: string;
  at: string;
  sameSession: boolean;
}

type Values = Record<string, string>;

const table = JSON.parse(readFileSync(FILE, "utf8")) as Table;

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

/** What was visited, and what of it is sent and kept: without fields that are empty; `first` is null without a campaign. */
function read(row: Table["cases"][number]) {
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
    ? { timestamp: known ? only.at : "", landingUrl: table.origin + only.path, referrer: only.referrer }
    : {};
  const arrival = withoutEmpty({ ...single, ...spellAll(row.last) });
  const first = row.first ? spellAll(row.first) : { ...campaign, ...arrival };
  return { name: row.name, visits, campaign, arrival, first: known ? first : null };
}

const cases = table.cases.map(read);

const FIELDS = Object.keys(table.columns);
const NOTHING = Object.fromEntries(FIELDS.map((field) => [field, null]));

/** What loading the page does, at this address. */
function load({ path, referrer, at, sameSession }: Visit) {
  if (!sameSession) {
    sessionStorage.clear();
  }
  window.history.replaceState(null, "", path);
  vi.spyOn(document, "referrer", "get").mockReturnValue(referrer);
  noteArrival({ url: window.location.href, referrer: document.referrer, at: new Date(at) }, "immediate");
}

const pick = (body: Record<string, unknown>) =>
  Object.fromEntries(FIELDS.filter((field) => field in body).map((field) => [field, body[field]]));

function clickBody(): Record<string, unknown> {
  const fetching = vi.fn<typeof fetch>(async () => Response.json({}));
  vi.stubGlobal("fetch", fetching);
  const text = { uniqueCode: "A1B2C", whatsappMessage: "[A1B2C] Hi" };
  recordChatClick({ ...text, buttonLocation: "hero-section-landing", eventId: "e" });
  return JSON.parse(String(fetching.mock.calls[0]?.[1]?.body));
}

describe.each(cases)("$name", ({ visits, campaign, arrival, first }) => {
  it("goes with a lead", () => {
    visits.forEach(load);
    const body = leadBody(ENTRY, "GB");
    expect(pick(body)).toEqual({ ...campaign, ...arrival });
    expect(body.firstTouch ?? null).toEqual(first);
  });

  it("goes with a WhatsApp click", () => {
    visits.forEach(load);
    const body = clickBody();
    expect(pick(body)).toEqual({ ...NOTHING, referrer: "", ...campaign, ...arrival });
    expect(body.firstTouch).toEqual(first);
  });

  it("is what local storage keeps", () => {
    visits.forEach(load);
    const stored = JSON.parse(localStorage.getItem("google_ads_data") ?? "null");
    const kept = { ...NOTHING, referrer: "", ...campaign, ...arrival, firstTouch: first };
    expect(stored).toEqual(first && { ...kept, sessionId: expect.stringMatching(/^[\da-f-]{36}$/) });
  });
});
