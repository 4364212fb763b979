/** Title and description of each page, for the pre-rendered head and for changes of page. */
import { heads } from "#content/heads.yaml";
import { money } from "@/lib/money";
import { type Landing, texts } from "./contentPages";
import { treatmentContent } from "./treatmentContent";
import type { TreatmentPlace } from "./treatmentPlaces";

interface Head {
  title: string;
  description: string;
}

/** A page with content of its own kind, a page of text by its name, a landing page, or the page of a treatment. */
export type Page =
  | { page: keyof typeof heads }
  | { page: "text"; text: string }
  | { page: "landing"; landing: Landing }
  | { page: "treatment"; treatment: TreatmentPlace };
export type PageName = Page["page"];

function treatmentHead(place: TreatmentPlace): Head {
  const { page, treatment, currency } = treatmentContent(place, false);
  const price = money(treatment.price, currency);
  return { title: page.title, description: page.description.replaceAll("{price}", price) };
}

export function headOf(shown: Page): Head {
  if (shown.page === "landing") {
    return shown.landing.head;
  }
  if (shown.page === "treatment") {
    return treatmentHead(shown.treatment);
  }
  if (shown.page === "text") {
    return (texts[shown.text] as { head: Head }).head;
  }
  return heads[shown.page];
}

/** The head of the document, once another page is shown in it. */
interface DocumentHead extends Head {
  /** The path by which search engines know the page. */
  canonical: string;
  isUnlisted: boolean;
}

function setAttribute(selector: string, name: string, value: string): void {
  document.head.querySelector(selector)?.setAttribute(name, value);
}

export function writeHead({ title, description, canonical, isUnlisted }: DocumentHead): void {
  document.title = title;
  setAttribute('meta[name="description"]', "content", description);
  const link = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  // Only the pre-rendered link holds the site's own address.
  setAttribute('link[rel="canonical"]', "href", new URL(canonical, link?.href).href);
  setAttribute('meta[name="robots"]', "content", isUnlisted ? "noindex" : "index, follow");
}
