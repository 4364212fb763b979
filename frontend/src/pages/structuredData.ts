/**
 * What search engines read about the clinic, as JSON-LD. Used only while pre-rendering.
 * No ratings: search engines do not accept a site's own ratings of itself.
 */
import { address, city, email, map, name } from "#content/clinic.yaml";
import { faq } from "#content/faq.yaml";
import { fullName } from "@/content/clinicName";
import { NUMBER_TOKENS } from "@/lib/pageSettings";
import type { PageName } from "./heads";

type Node = Record<string, unknown>;

function clinic(base: string): Node {
  return {
    "@type": ["Dentist", "MedicalBusiness"],
    "@id": `${base}/#clinic`,
    name: fullName(name),
    url: `${base}/`,
    image: `${base}/card.jpg`,
    logo: `${base}/icon-512.png`,
    email,
    telephone: NUMBER_TOKENS.clinicPhone,
    hasMap: map,
    address: {
      "@type": "PostalAddress",
      streetAddress: address,
      addressLocality: city,
      addressCountry: "TR",
    },
    medicalSpecialty: "Dentistry",
  };
}

function questions(url: string): Node {
  return {
    "@type": "FAQPage",
    "@id": `${url}#faq`,
    mainEntity: faq.map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer },
    })),
  };
}

/** `base` without a trailing slash. Null for pages that search engines leave out. */
export function structuredData(page: PageName, base: string, canonical: string): Node | null {
  if (page !== "home" && page !== "landing") {
    return null;
  }
  return {
    "@context": "https://schema.org",
    "@graph": [clinic(base), questions(base + canonical)],
  };
}
