/**
 * What search engines read about the clinic and its treatments, as JSON-LD. Used only while pre-rendering.
 * No ratings: search engines do not accept a site's own ratings of itself.
 */
import { topics, title as topicsTitle } from "#content/before-you-decide.yaml";
import { address, email, hours, map, name } from "#content/clinic.yaml";
import { faq } from "#content/faq.yaml";
import { choices } from "#content/languages.yaml";
import { breadcrumb } from "#content/treatment-page.yaml";
import { fullName } from "@/content/clinicName";
import { itemsWithClaims } from "@/content/namedClaims";
import { treatmentCards } from "@/content/sections";
import { money } from "@/lib/money";
import { NUMBER_TOKENS } from "@/lib/pageSettings";
import type { Page } from "./heads";
import { treatmentContent } from "./treatmentContent";
import { allTreatments, type TreatmentPlace, treatmentPath } from "./treatmentPlaces";

type Node = Record<string, unknown>;
type List = ReturnType<typeof treatmentCards>;
type Card = List["cards"][number];

const HOME_LIST = "home";
/** Of the pages; chats may be in others too. */
const LANGUAGE = "en";

/** What search engines read has no samples in it. */
const listOf = (list: string) => treatmentCards(list, false);

const postalAddress = {
  "@type": "PostalAddress",
  streetAddress: address.street,
  postalCode: address.postcode,
  addressLocality: address.city,
  addressCountry: "TR",
};

const openingHours = {
  "@type": "OpeningHoursSpecification",
  dayOfWeek: hours.days,
  opens: hours.opens,
  closes: hours.closes,
};

/** "per jaw" is said of a unit price: "jaw". */
const unitPrice = ({ price, unit }: Card, currency: string): Node => ({
  "@type": "UnitPriceSpecification",
  price,
  priceCurrency: currency,
  unitText: unit?.replace(/^per /, ""),
});

function offer(card: Card, currency: string, url: string): Node {
  return {
    "@type": "Offer",
    price: card.price,
    priceCurrency: currency,
    url,
    ...(card.unit ? { priceSpecification: unitPrice(card, currency) } : {}),
  };
}

/** The clinic as every page tells of it. */
function clinic(base: string, { currency, cards }: List): Node {
  const prices = cards.map(({ price }) => price);
  const languages = [LANGUAGE, ...choices.map(({ code }) => code)];
  return {
    "@type": ["Dentist", "MedicalClinic"],
    "@id": `${base}/#clinic`,
    name: fullName(name),
    url: `${base}/`,
    image: `${base}/card.jpg`,
    logo: `${base}/icon-512.png`,
    email,
    telephone: NUMBER_TOKENS.clinicPhone,
    hasMap: map,
    address: postalAddress,
    openingHoursSpecification: openingHours,
    priceRange: `${money(Math.min(...prices), currency)} to ${money(Math.max(...prices), currency)}`,
    medicalSpecialty: "Dentistry",
    contactPoint: {
      "@type": "ContactPoint",
      contactType: "customer service",
      telephone: NUMBER_TOKENS.clinicPhone,
      availableLanguage: languages,
    },
  };
}

/** Every treatment of a list, each offered at its price. */
function offers(base: string, root: string, { currency, cards }: List): Node[] {
  return cards.map((card) => ({
    ...offer(card, currency, base + treatmentPath(root, card.id)),
    itemOffered: { "@type": "Service", name: card.title },
  }));
}

interface Answered {
  question: string;
  answer: string;
}

function questions(url: string, answered: readonly Answered[]): Node {
  return {
    "@type": "FAQPage",
    "@id": `${url}#faq`,
    mainEntity: itemsWithClaims(answered, "answer", false).map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer },
    })),
  };
}

interface Place {
  name: string;
  item: string;
}

function breadcrumbList(above: readonly Place[], current: Place): Node {
  return {
    "@type": "BreadcrumbList",
    "@id": `${current.item}#breadcrumb`,
    itemListElement: [...above, current].map((entry, place) => ({
      "@type": "ListItem",
      position: place + 1,
      ...entry,
    })),
  };
}

function treatmentGraph(place: TreatmentPlace, base: string): Node[] {
  const { id, root } = place;
  const { treatment, page, ...prices } = treatmentContent(place, false);
  const url = base + treatmentPath(root, id);
  const service = {
    "@type": "Service",
    "@id": `${url}#treatment`,
    name: treatment.title,
    description: page.lead,
    url,
    provider: { "@id": `${base}/#clinic` },
    offers: offer(treatment, prices.currency, url),
  };
  const above = [
    { name: breadcrumb.home, item: base + (root || "/") },
    { name: breadcrumb.treatments, item: base + allTreatments(root) },
  ];
  const here = breadcrumbList(above, { name: treatment.title, item: url });
  return [clinic(base, prices), service, questions(url, page.questions), here];
}

function topicsGraph(base: string, url: string): Node[] {
  const answered = topics.map(({ title, answer }) => ({ question: title, answer }));
  const here = breadcrumbList([{ name: breadcrumb.home, item: `${base}/` }], { name: topicsTitle, item: url });
  return [clinic(base, listOf(HOME_LIST)), questions(url, answered), here];
}

/** `base` without a trailing slash. Null for pages that search engines leave out, and for those without such data. */
export function structuredData(shown: Page, base: string, canonical: string): Node | null {
  const graph = graphOf(shown, base, canonical);
  return graph && { "@context": "https://schema.org", "@graph": graph };
}

function graphOf(shown: Page, base: string, canonical: string): Node[] | null {
  switch (shown.page) {
    case "treatment":
      return treatmentGraph(shown.treatment, base);
    case "beforeYouDecide":
      return topicsGraph(base, base + canonical);
    case "home":
    case "landing": {
      const [list, root] =
        shown.page === "landing" ? [shown.landing.prices, `/${shown.landing.name}`] : [HOME_LIST, ""];
      const prices = listOf(list);
      const offering = { ...clinic(base, prices), makesOffer: offers(base, root, prices) };
      return [offering, questions(base + canonical, faq)];
    }
    default:
      return null;
  }
}
