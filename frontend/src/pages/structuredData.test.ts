import { expect, it } from "vitest";
import { topics } from "#content/before-you-decide.yaml";
import { faq } from "#content/faq.yaml";
import { lists } from "#content/prices.yaml";
import { treatments } from "#content/treatments.yaml";
import { pages } from "#content/treatments.yaml?pages";
import { withClaims } from "@/content/namedClaims";
import { ROUTES, routeOf } from "@/router/routes";
import { structuredData } from "./structuredData";

const BASE = "https://clinic.example";

// biome-ignore lint/suspicious/noExplicitAny: JSON-LD is a tree of whatever a search engine reads.
type Node = Record<string, any>;

function graphOf(path: string): Node[] {
  const route = routeOf(path);
  // As a search engine gets it: what is undefined is not there.
  return JSON.parse(JSON.stringify(structuredData(route, BASE, route.canonical)))["@graph"];
}

const typesOf = (path: string) => graphOf(path).map((node) => node["@type"]);
const nodeOf = (path: string, type: string): Node =>
  graphOf(path).find((node) => [node["@type"]].flat().includes(type)) ?? {};

it.each([
  ["/", "home", ""],
  ["/dental-implants", "landing", "/dental-implants"],
])("offers on %s every treatment at its price in the list %s, with its page", (path, list, root) => {
  const offered = nodeOf(path, "Dentist").makesOffer.map((offer: Node) => [
    offer.itemOffered.name,
    offer.price,
    offer.priceCurrency,
    offer.url,
    offer.priceSpecification?.unitText ?? null,
  ]);
  expect(offered).toEqual(
    treatments.map(({ id, title, unit }) => [
      title,
      lists[list]?.prices[id]?.price,
      lists[list]?.currency,
      `${BASE}${root}/treatments/${id}`,
      unit?.replace("per ", "") ?? null,
    ]),
  );
});

it.each(treatments.map(({ id, title }) => [id, title]))("says of %s what its page says", (id, title) => {
  const path = `/treatments/${id}`;
  expect(typesOf(path)).toEqual([["Dentist", "MedicalClinic"], "Service", "FAQPage", "BreadcrumbList"]);
  expect(nodeOf(path, "Service")).toMatchObject({
    name: title,
    url: BASE + path,
    provider: { "@id": nodeOf(path, "Dentist")["@id"] },
    offers: {
      "@type": "Offer",
      price: lists.home?.prices[id]?.price,
      priceCurrency: "GBP",
      url: BASE + path,
    },
  });
  const asked = nodeOf(path, "FAQPage").mainEntity.map((node: Node) => [node.name, node.acceptedAnswer.text]);
  expect(asked).toEqual(pages[id]?.questions.map(({ question, answer }) => [question, withClaims(answer, false)]));
});

it("leads in its breadcrumbs to pages that there are", () => {
  const known = new Set(ROUTES.map(({ path }) => BASE + path));
  for (const { path } of ROUTES.filter(({ page }) => page === "treatment")) {
    for (const { item } of nodeOf(path, "BreadcrumbList").itemListElement) {
      expect(known, path).toContain(item);
    }
  }
});

it("has the questions of the page before deciding, without what nobody has proven", () => {
  const path = "/before-you-decide";
  expect(typesOf(path)).toEqual([["Dentist", "MedicalClinic"], "FAQPage", "BreadcrumbList"]);
  const asked: Node[] = nodeOf(path, "FAQPage").mainEntity;
  expect(asked.map(({ name }) => name)).toEqual(topics.map(({ title }) => title));
  const answers = asked.map(({ acceptedAnswer }) => acceptedAnswer.text);
  expect(answers[0]).toMatch(/^Most implants last\. Some fail\. One that/);
  expect(answers.filter((text) => /\{|visa-free/.test(text))).toEqual([]);
  expect(nodeOf(path, "BreadcrumbList").itemListElement.map(({ item }: Node) => item)).toEqual([
    `${BASE}/`,
    BASE + path,
  ]);
});

it("keeps the home page's questions, and makes no claim and no rating", () => {
  const plain = faq.filter(({ answer }) => answer.replace(/\{claim:[^}]*\}/g, "").trim() !== "");
  expect(nodeOf("/", "FAQPage").mainEntity).toHaveLength(plain.length);
  for (const { path, page, canonical } of ROUTES.filter((route) => route.path !== "/privacy")) {
    const said = JSON.stringify(structuredData(routeOf(path), BASE, canonical));
    expect(said, path).not.toMatch(/rating|15 year|30\+|undefined/i);
    expect(said === "null", path).toBe(!["home", "landing", "treatment", "beforeYouDecide"].includes(page));
  }
});
