/** Generated from scripts/content/schema.ts by: npm run content-types */
type Content<Name extends import("../../scripts/content/schema.ts").FileName> =
  import("../../scripts/content/schema.ts").Content<Name>;

declare module "#content/clinic.yaml" {
  export const site: Content<"clinic.yaml">["site"];
  export const name: Content<"clinic.yaml">["name"];
  export const address: Content<"clinic.yaml">["address"];
  export const map: Content<"clinic.yaml">["map"];
  export const hours: Content<"clinic.yaml">["hours"];
  export const email: Content<"clinic.yaml">["email"];
  export const authorisation: Content<"clinic.yaml">["authorisation"];
  export const editor: Content<"clinic.yaml">["editor"];
  export const lastUpdated: Content<"clinic.yaml">["lastUpdated"];
  export const complaints: Content<"clinic.yaml">["complaints"];
}

declare module "#content/claims.yaml" {
  export const claims: Content<"claims.yaml">["claims"];
}

declare module "#content/plain.yaml" {
  export const visitor: Content<"plain.yaml">["visitor"];
  export const anywhere: Content<"plain.yaml">["anywhere"];
  export const bound: Content<"plain.yaml">["bound"];
  export const titles: Content<"plain.yaml">["titles"];
}

declare module "#content/treatments.yaml" {
  export const treatments: Content<"treatments.yaml">["treatments"];
  export const words: Content<"treatments.yaml">["words"];
}

declare module "#content/treatment-page.yaml" {
  export const trail: Content<"treatment-page.yaml">["trail"];
  export const line: Content<"treatment-page.yaml">["line"];
  export const places: Content<"treatment-page.yaml">["places"];
  export const price: Content<"treatment-page.yaml">["price"];
  export const course: Content<"treatment-page.yaml">["course"];
  export const related: Content<"treatment-page.yaml">["related"];
  export const questions: Content<"treatment-page.yaml">["questions"];
}

declare module "#content/prices.yaml" {
  export const lists: Content<"prices.yaml">["lists"];
}

declare module "#content/comparison.yaml" {
  export const sample: Content<"comparison.yaml">["sample"];
  export const source: Content<"comparison.yaml">["source"];
  export const checked_on: Content<"comparison.yaml">["checked_on"];
  export const lists: Content<"comparison.yaml">["lists"];
  export const words: Content<"comparison.yaml">["words"];
  export const alone: Content<"comparison.yaml">["alone"];
}

declare module "#content/reasons.yaml" {
  export const reasons: Content<"reasons.yaml">["reasons"];
  export const turkey: Content<"reasons.yaml">["turkey"];
  export const words: Content<"reasons.yaml">["words"];
}

declare module "#content/journey.yaml" {
  export const steps: Content<"journey.yaml">["steps"];
  export const heading: Content<"journey.yaml">["heading"];
  export const who: Content<"journey.yaml">["who"];
}

declare module "#content/faq.yaml" {
  export const faq: Content<"faq.yaml">["faq"];
  export const heading: Content<"faq.yaml">["heading"];
}

declare module "#content/offers.yaml" {
  export const offers: Content<"offers.yaml">["offers"];
  export const headings: Content<"offers.yaml">["headings"];
  export const words: Content<"offers.yaml">["words"];
}

declare module "#content/testimonials.yaml" {
  export const testimonials: Content<"testimonials.yaml">["testimonials"];
  export const words: Content<"testimonials.yaml">["words"];
}

declare module "#content/cases.yaml" {
  export const cases: Content<"cases.yaml">["cases"];
  export const words: Content<"cases.yaml">["words"];
}

declare module "#content/gallery.yaml" {
  export const film: Content<"gallery.yaml">["film"];
  export const tour: Content<"gallery.yaml">["tour"];
  export const gallery: Content<"gallery.yaml">["gallery"];
  export const words: Content<"gallery.yaml">["words"];
}

declare module "#content/dentists.yaml" {
  export const dentists: Content<"dentists.yaml">["dentists"];
  export const words: Content<"dentists.yaml">["words"];
}

declare module "#content/brands.yaml" {
  export const brands: Content<"brands.yaml">["brands"];
  export const words: Content<"brands.yaml">["words"];
}

declare module "#content/legal.yaml" {
  export const version: Content<"legal.yaml">["version"];
  export const privacy: Content<"legal.yaml">["privacy"];
  export const terms: Content<"legal.yaml">["terms"];
  export const close: Content<"legal.yaml">["close"];
  export const marketing: Content<"legal.yaml">["marketing"];
  export const page: Content<"legal.yaml">["page"];
}

declare module "#content/privacy.yaml" {
  export const version: Content<"privacy.yaml">["version"];
  export const checked_on: Content<"privacy.yaml">["checked_on"];
  export const title: Content<"privacy.yaml">["title"];
  export const lead: Content<"privacy.yaml">["lead"];
  export const sections: Content<"privacy.yaml">["sections"];
}

declare module "#content/terms.yaml" {
  export const version: Content<"terms.yaml">["version"];
  export const checked_on: Content<"terms.yaml">["checked_on"];
  export const title: Content<"terms.yaml">["title"];
  export const lead: Content<"terms.yaml">["lead"];
  export const sections: Content<"terms.yaml">["sections"];
}

declare module "#content/before-you-decide.yaml" {
  export const checked_on: Content<"before-you-decide.yaml">["checked_on"];
  export const title: Content<"before-you-decide.yaml">["title"];
  export const lead: Content<"before-you-decide.yaml">["lead"];
  export const words: Content<"before-you-decide.yaml">["words"];
  export const topics: Content<"before-you-decide.yaml">["topics"];
  export const sources: Content<"before-you-decide.yaml">["sources"];
}

declare module "#content/consent.yaml" {
  export const version: Content<"consent.yaml">["version"];
  export const title: Content<"consent.yaml">["title"];
  export const text: Content<"consent.yaml">["text"];
  export const promise: Content<"consent.yaml">["promise"];
  export const more: Content<"consent.yaml">["more"];
  export const accept: Content<"consent.yaml">["accept"];
  export const reject: Content<"consent.yaml">["reject"];
  export const choose: Content<"consent.yaml">["choose"];
  export const save: Content<"consent.yaml">["save"];
  export const legend: Content<"consent.yaml">["legend"];
  export const purposes: Content<"consent.yaml">["purposes"];
  export const needed: Content<"consent.yaml">["needed"];
  export const reopen: Content<"consent.yaml">["reopen"];
}

declare module "#content/tracking.yaml" {
  export const conversion: Content<"tracking.yaml">["conversion"];
  export const lead: Content<"tracking.yaml">["lead"];
}

declare module "#content/heads.yaml" {
  export const heads: Content<"heads.yaml">["heads"];
}

declare module "#content/heroes.yaml" {
  export const home: Content<"heroes.yaml">["home"];
  export const treatments: Content<"heroes.yaml">["treatments"];
  export const pictures: Content<"heroes.yaml">["pictures"];
}

declare module "#content/site.yaml" {
  export const line: Content<"site.yaml">["line"];
  export const skip: Content<"site.yaml">["skip"];
  export const topBar: Content<"site.yaml">["topBar"];
  export const header: Content<"site.yaml">["header"];
  export const doors: Content<"site.yaml">["doors"];
  export const bottomBar: Content<"site.yaml">["bottomBar"];
  export const trust: Content<"site.yaml">["trust"];
  export const footer: Content<"site.yaml">["footer"];
  export const notFound: Content<"site.yaml">["notFound"];
}

declare module "#content/chat.yaml" {
  export const opening: Content<"chat.yaml">["opening"];
}

declare module "#content/languages.yaml" {
  export const title: Content<"languages.yaml">["title"];
  export const list: Content<"languages.yaml">["list"];
  export const choices: Content<"languages.yaml">["choices"];
}

declare module "#content/sample.yaml" {
  export const tag: Content<"sample.yaml">["tag"];
  export const note: Content<"sample.yaml">["note"];
}

declare module "#content/toast.yaml" {
  export const close: Content<"toast.yaml">["close"];
}

declare module "#content/lead-form.yaml" {
  export const form: Content<"lead-form.yaml">["form"];
  export const plain: Content<"lead-form.yaml">["plain"];
  export const beside: Content<"lead-form.yaml">["beside"];
  export const reassurances: Content<"lead-form.yaml">["reassurances"];
}

declare module "#content/validation.yaml" {
  export const messages: Content<"validation.yaml">["messages"];
}

declare module "#content/thank-you.yaml" {
  export const thankYou: Content<"thank-you.yaml">["thankYou"];
  export const plain: Content<"thank-you.yaml">["plain"];
}

/** One landing page; its name is its address, and `also` has further ones. `prices`: the price list that it shows. */
declare module "#content/landing" {
  export type LandingWords = import("../../scripts/content/schema.ts").Landing;
  export interface Landing {
    name: string;
    also: readonly string[];
    prices: string;
    load: () => Promise<LandingWords>;
  }
  export const landings: readonly Landing[];
}

/** By price list: the treatments that it has a price for. */
declare module "#content/treatments" {
  export const priced: Readonly<Record<string, readonly string[]>>;
}

/** By treatment: the words of its own page. */
declare module "#content/treatments.yaml?pages" {
  export const pages: Readonly<Record<string, Content<"treatments.yaml">["treatments"][number]["page"]>>;
}

/** By treatment: its name. */
declare module "#content/treatments.yaml?names" {
  export const names: Readonly<Record<string, string>>;
}

/** Claims that only texts name. */
declare module "#content/claims.yaml?named" {
  export const named: Content<"claims.yaml">["claims"];
}

/** What the treatments' pages say of the topics. */
declare module "#content/before-you-decide.yaml?brief" {
  type Topic = Content<"before-you-decide.yaml">["topics"][number];
  export const brief: readonly Pick<Topic, "id" | "title" | "answer" | "of" | "clinic">[];
  export const words: Content<"before-you-decide.yaml">["words"];
}

/** Whether anything in the file is no longer a sample. */
declare module "#content/*.yaml?real" {
  export const real: boolean;
}
