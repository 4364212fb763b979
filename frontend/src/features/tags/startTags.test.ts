import { afterEach, describe, expect, it } from "vitest";
import { report } from "@/lib/events";
import { analyticsClickId } from "@/lib/whatsapp";
import { choose, clearTags, googleCalls, googleEvents, metaCalls, scripts, start } from "./tagsFixture";

const HERE = { page_location: "http://localhost:3000/", page_referrer: "" };
const CONVERSION = { kind: "conversion", leadId: "lead-7", eventId: "event-7" } as const;
const DENIED = {
  analytics_storage: "denied",
  ad_storage: "denied",
  ad_user_data: "denied",
  ad_personalization: "denied",
};
const GRANTED = Object.fromEntries(Object.keys(DENIED).map((name) => [name, "granted"]));

afterEach(clearTags);

function everythingHappens() {
  report({ kind: "page_view", title: "Thank You", path: "/" });
  report({ kind: "whatsapp_click", location: "thank-you-page", code: "AB12C", eventId: "tap-7" });
  report({ kind: "phone_click", location: "thank-you-page" });
  report(CONVERSION);
}

describe("before a yes", () => {
  it("no script is loaded and nothing is queued but that everything is denied", () => {
    start();
    everythingHappens();
    expect(scripts()).toEqual([]);
    expect(googleCalls()).toEqual([
      ["consent", "default", DENIED],
      ["set", "ads_data_redaction", true],
    ]);
    expect(window.fbq).toBeUndefined();
  });

  it("nothing at all is queued when no id is set", () => {
    start({ googleAdsConversion: null, metaPixelId: null, analyticsId: null });
    choose(true, true);
    everythingHappens();
    expect(window.dataLayer).toBeUndefined();
    expect(window.fbq).toBeUndefined();
    expect(scripts()).toEqual([]);
  });
});

describe("after a yes to everything", () => {
  it("each script is loaded once, and the calls wait for it in its own queue", () => {
    start();
    choose(true, true);
    choose(true, true);
    expect(scripts()).toEqual([
      "https://www.googletagmanager.com/gtag/js?id=G-1",
      "https://connect.facebook.net/en_US/fbevents.js",
    ]);
    expect(googleCalls()).toContainEqual(["consent", "update", GRANTED]);
    expect(googleCalls().filter(([name]) => name === "config")).toHaveLength(2);
    expect(metaCalls().slice(0, 3)).toEqual([
      ["consent", "grant"],
      ["set", "autoConfig", false, "42"],
      ["init", "42"],
    ]);
  });

  it("exactly these fields are sent, and no others", () => {
    start();
    choose(true, true);
    everythingHappens();
    expect(googleEvents()).toEqual([
      ["event", "page_view", { send_to: "G-1", page_title: "Thank You", ...HERE }],
      ["event", "whatsapp_click", { send_to: "G-1", button_location: "thank-you-page", event_id: "tap-7", ...HERE }],
      ["event", "phone_click", { send_to: "G-1", button_location: "thank-you-page", ...HERE }],
      ["event", "conversion", { send_to: "AW-1/label", value: 1, currency: "TRY", transaction_id: "lead-7", ...HERE }],
    ]);
    expect(metaCalls().filter(([name]) => name === "track")).toEqual([
      [
        "track",
        "Lead",
        {
          content_name: "Contact Form Submission",
          content_category: "Dental Consultation",
          value: 1,
          currency: "TRY",
        },
        { eventID: "event-7" },
      ],
    ]);
  });

  it("the page in view is sent, but neither clicks nor enquiries from before", () => {
    start();
    everythingHappens();
    choose(true, true);
    expect(googleEvents().map(([, name]) => name)).toEqual(["page_view"]);
    expect(metaCalls().filter(([name]) => name === "track")).toEqual([]);
  });

  it("a page that was left is not sent", () => {
    start();
    report({ kind: "page_view", title: "Landing", path: "/dental-implants" });
    choose(true, true);
    expect(googleEvents()).toEqual([]);
  });
});

describe("a yes to one purpose", () => {
  it("statistics: Google alone, without the ad tag", () => {
    start();
    choose(true, false);
    everythingHappens();
    expect(scripts()).toHaveLength(1);
    expect(googleCalls()).toContainEqual(["consent", "update", { ...DENIED, analytics_storage: "granted" }]);
    expect(googleEvents().map(([, name]) => name)).toEqual(["page_view", "whatsapp_click", "phone_click"]);
    expect(window.fbq).toBeUndefined();
  });

  it("advertising: the enquiry alone", () => {
    start();
    choose(false, true);
    everythingHappens();
    expect(scripts()[0]).toBe("https://www.googletagmanager.com/gtag/js?id=AW-1");
    expect(googleEvents().map(([, name]) => name)).toEqual(["conversion"]);
    expect(metaCalls().filter(([name]) => name === "track")).toHaveLength(1);
  });
});

describe("a yes taken back", () => {
  it("stops every further event, informs both tags, and removes their cookies", () => {
    start();
    choose(true, true);
    for (const name of ["_ga", "_ga_1", "_gcl_au", "_fbp", "kept"]) {
      // biome-ignore lint/suspicious/noDocumentCookie: what the tags do.
      document.cookie = `${name}=1; path=/`;
    }
    choose(false, false);
    everythingHappens();
    expect(googleEvents()).toEqual([]);
    expect(googleCalls().at(-1)).toEqual(["consent", "update", DENIED]);
    expect(Object.entries(window).filter(([name]) => name.startsWith("ga-disable-"))).toEqual([
      ["ga-disable-G-1", true],
      ["ga-disable-AW-1", true],
    ]);
    expect(metaCalls().at(-1)).toEqual(["consent", "revoke"]);
    expect(document.cookie).toBe("kept=1");
  });

  it("and given again lets them go on, with the same script", () => {
    start();
    choose(true, true);
    choose(false, false);
    choose(true, true);
    report(CONVERSION);
    expect(scripts()).toHaveLength(2);
    expect(window).toMatchObject({ "ga-disable-G-1": false });
    expect(metaCalls().map(([name]) => name)).toEqual(["consent", "set", "init", "consent", "consent", "track"]);
  });
});

it("events from before the tags' code loaded are sent once, where an earlier visit's answer allows it", () => {
  report({ kind: "page_view", title: "Thank You", path: "/" });
  report({ kind: "phone_click", location: "thank-you-page" });
  const choice = { analytics: true, advertising: false };
  start({}, { version: "1", choice, at: "2026-01-01T00:00:00Z" });
  start({}, { version: "1", choice, at: "2026-01-01T00:00:00Z" });
  expect(googleEvents().map(([, name]) => name)).toEqual(["page_view", "phone_click"]);
});

describe("the id that a tap on WhatsApp carries to our server", () => {
  it("is none before a yes, the event's own until Google has given one, Google's then, and none after a no", () => {
    start();
    expect(analyticsClickId("tap-7")).toBeNull();
    choose(true, false);
    expect(analyticsClickId("tap-7")).toBe("tap-7");
    // biome-ignore lint/suspicious/noDocumentCookie: what the tag does.
    document.cookie = "_ga=GA1.1.1234567890.1700000000; path=/";
    expect(analyticsClickId("tap-7")).toBe("1234567890.1700000000");
    choose(false, true);
    expect(analyticsClickId("tap-7")).toBeNull();
  });

  it("is none where statistics have no tag", () => {
    start({ analyticsId: null });
    choose(true, true);
    expect(analyticsClickId("tap-7")).toBeNull();
  });
});

describe("the page's address", () => {
  it("reaches no tag with anything personal in it", () => {
    window.history.replaceState(
      null,
      "",
      "/dental-implants?gclid=Cj0-abc_1&email=ada%40example.com&utm_source=ada@example.com&utm_term=all+on+4&name=Ada#phone=1",
    );
    start();
    choose(true, true);
    everythingHappens();
    const sent = JSON.stringify([...googleCalls(), ...metaCalls()]);
    expect(sent).toContain("/dental-implants?gclid=Cj0-abc_1");
    expect(sent).not.toMatch(/example\.com|utm_term|Ada|phone=1/);
    expect(window.location.href).toBe("http://localhost:3000/dental-implants?gclid=Cj0-abc_1");
  });
});
