/** The files of content/ by their schema. The compiler names one that is missing here where it is first read. */
type Content<Name extends import("../../scripts/content/schema.ts").FileName> =
  import("../../scripts/content/schema.ts").Content<Name>;

declare module "#content/clinic.yaml" {
  const content: Content<"clinic.yaml">;
  export = content;
}

declare module "#content/claims.yaml" {
  const content: Content<"claims.yaml">;
  export = content;
}

declare module "#content/plain.yaml" {
  const content: Content<"plain.yaml">;
  export = content;
}

declare module "#content/treatments.yaml" {
  const content: Content<"treatments.yaml">;
  export = content;
}

declare module "#content/treatment-page.yaml" {
  const content: Content<"treatment-page.yaml">;
  export = content;
}

declare module "#content/prices.yaml" {
  const content: Content<"prices.yaml">;
  export = content;
}

declare module "#content/comparison.yaml" {
  const content: Content<"comparison.yaml">;
  export = content;
}

declare module "#content/reasons.yaml" {
  const content: Content<"reasons.yaml">;
  export = content;
}

declare module "#content/journey.yaml" {
  const content: Content<"journey.yaml">;
  export = content;
}

declare module "#content/faq.yaml" {
  const content: Content<"faq.yaml">;
  export = content;
}

declare module "#content/offers.yaml" {
  const content: Content<"offers.yaml">;
  export = content;
}

declare module "#content/testimonials.yaml" {
  const content: Content<"testimonials.yaml">;
  export = content;
}

declare module "#content/cases.yaml" {
  const content: Content<"cases.yaml">;
  export = content;
}

declare module "#content/gallery.yaml" {
  const content: Content<"gallery.yaml">;
  export = content;
}

declare module "#content/dentists.yaml" {
  const content: Content<"dentists.yaml">;
  export = content;
}

declare module "#content/brands.yaml" {
  const content: Content<"brands.yaml">;
  export = content;
}

declare module "#content/legal.yaml" {
  const content: Content<"legal.yaml">;
  export = content;
}

declare module "#content/before-you-decide.yaml" {
  const content: Content<"before-you-decide.yaml">;
  export = content;
}

declare module "#content/consent.yaml" {
  const content: Content<"consent.yaml">;
  export = content;
}

declare module "#content/tracking.yaml" {
  const content: Content<"tracking.yaml">;
  export = content;
}

declare module "#content/heads.yaml" {
  const content: Content<"heads.yaml">;
  export = content;
}

declare module "#content/heroes.yaml" {
  const content: Content<"heroes.yaml">;
  export = content;
}

declare module "#content/site.yaml" {
  const content: Content<"site.yaml">;
  export = content;
}

declare module "#content/chat.yaml" {
  const content: Content<"chat.yaml">;
  export = content;
}

declare module "#content/languages.yaml" {
  const content: Content<"languages.yaml">;
  export = content;
}

declare module "#content/sample.yaml" {
  const content: Content<"sample.yaml">;
  export = content;
}

declare module "#content/toast.yaml" {
  const content: Content<"toast.yaml">;
  export = content;
}

declare module "#content/lead-form.yaml" {
  const content: Content<"lead-form.yaml">;
  export = content;
}

declare module "#content/validation.yaml" {
  const content: Content<"validation.yaml">;
  export = content;
}

declare module "#content/thank-you.yaml" {
  const content: Content<"thank-you.yaml">;
  export = content;
}

/** The landing pages; a page's name is its address. */
declare module "#content/landing" {
  export type Landing = import("../../scripts/content/schema.ts").Landing & { name: string };
  export const landings: readonly Landing[];
}

/** The pages of text; a page's name is its address. */
declare module "#content/text" {
  export type LongText = Omit<import("../../scripts/content/schema.ts").LongText, "checked_on">;
  export const texts: Readonly<Record<string, Pick<LongText, "head"> & { load: () => Promise<LongText> }>>;
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
