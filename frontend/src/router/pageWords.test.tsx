import { beforeAll, describe, expect, it } from "vitest";
import { pageAt, preparePages } from "./pageFixture";

beforeAll(preparePages, 60_000);

const wordsOf = (path: string, place = "body") =>
  (pageAt(path).querySelector(place)?.textContent ?? "").replace(/\s+/g, " ");
const LANDINGS = ["/dental-implants", "/best-dental-implants-turkey"];

describe("the words that the clinic asked for", () => {
  const everywhere: [place: string, words: string[]][] = [
    ["aside", ["4.7 rating", "100,000+ global patients", "15+ years"]],
    ["div + div > aside", ["Talk to Advisor", "Get Free Consultation"]],
    ["#contact-form", ["Unlock Today's Offer", "Start your journey to a perfect smile today"]],
    ["#contact-form", ["Name *", "Surname *", "Email *", "Phone *", "Your Questions"]],
    ["#contact-form", ["Photos or an X-ray? You can send them on WhatsApp in the next step."]],
    ["#contact-form", ["We use what you say about your health only to answer you", "write to hello@example.com"]],
    ["#contact-form button[type=submit]", ["Get Free Consultation"]],
    ["#contact-form form > div:last-child", ["private", "GDPR and KVKK"]],
    ["#clinic-showcase", ["50K+ patients treated", "30+ dentists", "15 languages"]],
    ["#why-choose-turkey", ["UK vs Turkey prices", "Up to 70% savings", "60-80% less than in the UK"]],
    ["footer", ["Privacy", "Terms"]],
  ];
  const own: [path: string, place: string, words: string[]][] = [
    ["/", "main > section", ["15,000+ patients per year", "30+ dentists", "15 year warranty"]],
    ["/", "#hero-actions", ["Get Free Consultation"]],
    ...LANDINGS.flatMap((path): typeof own => [
      [path, "#hero-actions", ["Book Your Free X-Ray or Check-Up"]],
      [path, "#premium-implants", ["Our Choice of Premium Implants"]],
      [path, "#premium-implants", ["international certifications", "lifetime warranty"]],
    ]),
    ["/thank-you", "main", ["request was submitted", "experts will call you within 24 hours"]],
    ["/thank-you", "main", ["What happens next", "WhatsApp", "Call Now", "Return to Homepage"]],
    ["/privacy", "#who", ["Placeholder Company Ltd", "hello@example.com"]],
    ["/privacy", "#why", ["about your health", "explicit consent (Article 9(2)(a)", "hello@example.com"]],
    ["/privacy", "#complaint", ["complaints@example.com", "within five working days", "within 30 days"]],
    ["/nowhere", "main", ["404 Page Not Found", "Did you forget to add the page to the router?"]],
    ["/nowhere", "main", ["This page has moved or never existed."]],
  ];
  const all = ["/", ...LANDINGS].flatMap((path) => everywhere.map(([place, words]) => [path, place, words] as const));

  it.each([...all, ...own])("%s, %s: %j", (path, place, words) => {
    for (const word of words) {
      expect(wordsOf(path, place)).toContain(word);
    }
  });
});

describe("how many there are", () => {
  it.each([
    ["/", "#video-testimonials li figure", 3],
    ["/", "#clinic-showcase li figure", 4],
    ["/", "#before-after-gallery li article", 6],
    ["/", "#why-choose-us li h3", 6],
    ["/", "#patient-journey ol > li", 4],
    ["/dental-implants", "#patient-testimonials li figure", 3],
    ["/dental-implants", "#premium-implants ul > li", 6],
  ])("%s %s: %i", (path, selector, count) => {
    expect(pageAt(path).querySelectorAll(selector)).toHaveLength(count);
  });

  it("three rows for the questions, and the ad click's field unseen", () => {
    const form = pageAt("/").querySelector("#contact-form");
    expect(form?.querySelector("textarea[name=message]")?.getAttribute("rows")).toBe("3");
    expect(form?.querySelector("input[name=zc_gad]")?.getAttribute("type")).toBe("hidden");
  });
});

const LANDING_TAGS = "header hero-section why-choose-turkey questions footer sticky-footer"
  .split(" ")
  .map((place) => `${place}-dental-implants`);
const HOME_TAGS =
  "header-landing hero-section-landing why-choose-turkey contact-form-landing questions-landing footer-landing sticky-footer-landing";

it.each([
  ["/", HOME_TAGS.split(" ")],
  ["/dental-implants", LANDING_TAGS],
  ["/best-dental-implants-turkey", LANDING_TAGS],
  ["/thank-you", ["thank-you-page"]],
])("%s says where each chat was opened", (path, tags) => {
  const links = [...pageAt(path).querySelectorAll<HTMLElement>("[data-chat-source]")];
  expect([...new Set(links.map(({ dataset }) => dataset.chatSource))]).toEqual(tags);
});
