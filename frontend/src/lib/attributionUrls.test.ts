/** @vitest-environment-options { "url": "https://clinic.example/" } */
import { describe, expect, it, vi } from "vitest";
import { leadBody } from "@/features/lead-form/submission";
import { noteArrival } from "./attribution";
import { type Case, cases, table, type Visit } from "./attributionFixture";
import { recordChatClick } from "./whatsapp";

const ENTRY: Parameters<typeof leadBody>[0] = {
  name: "Ada",
  surname: "Example",
  email: "ada@example.com",
  countryCode: "+44",
  phone: "07911 123456",
  message: "",
  marketing: false,
  website: "",
  zc_gad: "",
};
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

describe.each(cases)("$name", ({ visits, campaign, arrival, first }: Case) => {
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
