/** The schema of each file of content/. */
import { z } from "zod";
import {
  address,
  amount,
  date,
  distinctIds,
  email,
  exactly,
  flag,
  icon,
  link,
  name,
  pictogram,
  some,
  text,
  texts,
  textWith,
  video,
  withConsent,
} from "./fields.ts";

/** Sections that the header links to on wide screens. */
const HEADER_PLACES = [
  "premium-treatments",
  "clinic-showcase",
  "before-after-gallery",
  "why-choose-turkey",
  "patient-journey",
] as const;

/** Where a page may state a figure. */
const CLAIM_PLACES = "top-bar hero-home hero-landing trust clinic why-turkey".split(" ");

const CURRENCIES = ["GBP", "EUR", "USD"] as const;

const price = z
  .strictObject({ price: amount, was: amount.optional() })
  .refine(({ price: now, was }) => was === undefined || was > now, {
    path: ["was"],
    message: "must be more than the price, or be left out",
  });
/** By treatment; null where the pages of the list leave the treatment out. */
const priceList = <Currency extends (typeof CURRENCIES)[number]>(...currencies: readonly Currency[]) =>
  z.strictObject({
    currency: z.enum(currencies, `must be ${currencies.join(" or ")}`),
    was_until: date.nullable(),
    prices: z.record(name, price.nullable()),
  });

const claim = z
  .strictObject({
    words: textWith("{value}"),
    value: text,
    icon,
    places: some(z.enum(CLAIM_PLACES, `must be one of ${CLAIM_PLACES.join(", ")}`)),
    evidence: link.nullable(),
    checked_on: date.nullable(),
    expires_on: date.nullable(),
    about: text,
    state: z.enum(["sample", "approved", "hidden"], "must be sample, approved or hidden"),
  })
  .refine(({ state, evidence, checked_on }) => state !== "approved" || Boolean(evidence && checked_on), {
    path: ["state"],
    message: "may be approved only with evidence and the date of checked_on",
  });

const treatment = z.strictObject({
  id: name,
  title: text,
  unit: z.enum(["per unit", "per jaw"], "must be per unit, per jaw or nothing").nullable(),
  image: name,
  alt: text,
  highlights: exactly(3, text),
  details: z.strictObject({
    duration: text,
    visits: text,
    warranty: text,
    process: some(text),
    benefits: some(text),
    includes: some(text),
  }),
});

const offer = z
  .strictObject({
    id: name,
    places: some(name),
    title: text,
    text,
    terms: text,
    starts: date,
    ends: date,
    sample: flag,
  })
  .refine(({ starts, ends }) => starts <= ends, { path: ["ends"], message: "must not be before starts" });

const notice = texts("link", "title", "text", "more");
const heading = texts("overline", "title");
const titled = texts("title", "text");
const fieldCount = z.strictObject({ one: text, many: textWith("{count}") });
const reference = texts("label", "copy", "copied");
const head = texts("title", "description");
const toast = texts("title", "description");
const hero = texts("overline", "title", "proof", "primary", "chat", "line");
const offerHeadings = z.strictObject({ "special-offers": heading, "special-promotions": heading });
/** A long text: paragraphs, a list, and paragraphs again, each optional. */
const longText = (passage: z.ZodType<string>) =>
  z.strictObject({
    version: date,
    title: text,
    lead: text,
    sections: some(
      z.strictObject({
        id: name,
        title: text,
        text: some(passage).optional(),
        items: some(passage).optional(),
        after: some(passage).optional(),
      }),
    ),
  });
/** Text, or text with the columns of our tables that it describes. The site gets the text alone. */
const passageWithColumns = z.union(
  [
    text,
    z.strictObject({ text, columns: z.record(z.string(), some(text)) }).transform((passage) => passage.text),
  ],
  "must be text, or text with columns",
);

const purpose = texts("label", "text");

export const FILES = {
  "clinic.yaml": z.strictObject({
    site: text.regex(/^https:\/\/[^/\s]+$/, "must be an https:// address without a path"),
    name: texts("first", "rest"),
    city: text,
    address: text,
    map: address,
    hours: text,
    email,
    authorisation: z.strictObject({ label: text, number: text, sample: flag }),
    editor: text,
    lastUpdated: date,
    complaints: z.strictObject({ text, email }),
  }),
  "claims.yaml": z.strictObject({ claims: z.record(name, claim) }),
  "treatments.yaml": z.strictObject({
    treatments: some(treatment).superRefine(distinctIds),
    words: z.strictObject({
      heading: texts("overline", "title", "lead"),
      off: textWith("{percent}"),
      save: textWith("{amount}"),
      wasUntil: textWith("{day}"),
      ...texts("today", "price", "was", "open", "close", "duration", "visits", "warranty").shape,
      ...texts("process", "benefits", "includes", "ask").shape,
    }),
  }),
  "prices.yaml": z.strictObject({
    lists: z.object({ home: priceList("GBP"), landing: priceList("EUR") }).catchall(priceList(...CURRENCIES)),
  }),
  "comparison.yaml": z.strictObject({
    sample: flag,
    source: text,
    lists: z.record(name, z.record(name, amount)),
    words: z.strictObject({
      ...texts("treatment", "here", "saving").shape,
      compared: texts("title", "elsewhere"),
      alone: texts("title", "elsewhere", "source"),
    }),
  }),
  "reasons.yaml": z.strictObject({
    reasons: exactly(6, z.strictObject({ pictogram, title: text, text })),
    turkey: some(titled),
    words: z.strictObject({ why: heading, turkey: heading, chat: text }),
  }),
  "journey.yaml": z.strictObject({
    steps: exactly(4, z.strictObject({ pictogram, title: text, when: text, who: text, text })),
    heading,
    who: text,
  }),
  "faq.yaml": z.strictObject({ faq: some(texts("question", "answer")), heading }),
  "offers.yaml": z.strictObject({
    offers: z.array(offer, "must be a list").superRefine(distinctIds),
    headings: offerHeadings,
    words: z.strictObject({
      until: textWith("{day}"),
      left: z.strictObject({ last: text, one: text, many: textWith("{days}") }),
      none: texts("title", "lead"),
    }),
  }),
  "testimonials.yaml": z.strictObject({
    testimonials: exactly(
      3,
      withConsent({ id: name, name: text, review: text, poster: name.nullable(), video: video.nullable() }),
    ),
    words: z.strictObject({
      ...texts("title", "lead", "carousel", "carouselRole", "previous", "next", "show", "play", "soon").shape,
      position: textWith("{number}", "{count}", "{name}"),
      from: textWith("{host}"),
    }),
  }),
  "cases.yaml": z.strictObject({
    cases: exactly(
      6,
      withConsent({
        id: name,
        patientName: text,
        location: text,
        treatment: text,
        rating: z.literal(5, "must be 5"),
        before: name,
        after: name,
      }),
    ),
    words: z.strictObject({
      ...texts("title", "lead", "before", "after", "stamp").shape,
      compare: textWith("{name}"),
      share: textWith("{share}"),
      rating: textWith("{rating}"),
      ratingSource: texts("sample", "real"),
    }),
  }),
  "gallery.yaml": z.strictObject({
    film: name,
    gallery: exactly(4, z.strictObject({ id: name, image: name, caption: text, alt: text, sample: flag })),
    words: z.strictObject({
      video: texts("name", "caption", "play", "soon"),
      imagePosition: textWith("{number}", "{count}"),
      ...texts("title", "lead", "gallery", "figures", "enlarge", "loading", "retry", "close").shape,
      ...texts("previousImage", "nextImage").shape,
    }),
  }),
  "brands.yaml": z.strictObject({
    brands: exactly(6, z.strictObject({ id: name, name: text, sample: flag })),
    words: texts("title", "lead", "list", "pause", "play", "note", "footer"),
  }),
  "legal.yaml": z.strictObject({
    version: date,
    privacy: notice,
    terms: notice,
    close: text,
    complaint: text,
    marketing: z.strictObject({ version: date, text }),
    page: texts("versionLabel", "from", "contents", "home", "complain"),
  }),
  "privacy.yaml": longText(passageWithColumns),
  "terms.yaml": longText(text),
  "consent.yaml": z.strictObject({
    version: date,
    title: text,
    text,
    promise: text,
    more: z.strictObject({ text, href: link }),
    accept: text,
    reject: text,
    choose: text,
    save: text,
    legend: text,
    purposes: z.strictObject({ analytics: purpose, advertising: purpose }),
    needed: text,
    reopen: text,
  }),
  "tracking.yaml": z.strictObject({
    conversion: z.strictObject({
      value: z.number("must be a number"),
      currency: text.length(3, "must have three letters"),
    }),
    lead: texts("content_name", "content_category"),
  }),
  "heads.yaml": z.strictObject({
    heads: z.strictObject({
      home: head,
      thankYou: head,
      privacy: head,
      terms: head,
      complaint: head,
      notFound: head,
    }),
  }),
  "heroes.yaml": z.strictObject({
    home: hero,
    pictures: texts("large", "small", "caption"),
  }),
  "site.yaml": z.strictObject({
    line: text,
    skip: text,
    topBar: texts("label", "instead"),
    header: z.strictObject({
      ...texts("call", "chat", "nav").shape,
      places: texts(...HEADER_PLACES),
    }),
    bottomBar: texts("label", "chat", "form"),
    trust: text,
    footer: z.strictObject({
      ...texts("contactTitle", "call", "chat", "mapHint", "aboutTitle", "editorLabel", "updatedLabel").shape,
      small: text,
    }),
    notFound: texts("title", "line", "home"),
  }),
  "chat.yaml": texts("opening"),
  "sample.yaml": texts("tag", "note"),
  "toast.yaml": texts("close"),
  "lead-form.yaml": z.strictObject({
    form: z.strictObject({
      ...texts("title", "subtitle", "requiredNote", "submit", "sending", "withoutScript").shape,
      labels: texts("name", "surname", "email", "phone", "message"),
      hints: texts("phone", "message"),
      country: z.strictObject({
        ...texts("button", "search", "list", "none").shape,
        change: textWith("{country}", "{code}"),
      }),
      notices: some(text),
      summary: fieldCount,
      failure: z.strictObject({ ...texts("text", "again", "chat", "call").shape, toast }),
      limited: z.strictObject({ ...texts("text").shape, toast }),
      success: toast,
    }),
    reassurances: some(z.strictObject({ icon, title: text, text })),
  }),
  "validation.yaml": z.strictObject({
    messages: z.strictObject({
      ...texts("name", "surname", "email", "countryCode", "complaint").shape,
      ...texts("phoneEmpty", "phone", "phoneTooShort", "phoneForCountry").shape,
      tooLong: textWith("{limit}"),
    }),
  }),
  "thank-you.yaml": z.strictObject({
    thankYou: z.strictObject({
      ...texts("eventTitle", "greeting", "lead", "leadUnsent", "email", "home").shape,
      reference,
      next: z.strictObject({
        title: text,
        steps: some(
          z.strictObject({
            title: text,
            text,
            byHours: amount.optional(),
            by: textWith("{time}").optional(),
          }),
        ),
      }),
      ready: z.strictObject({ title: text, items: some(text) }),
      contact: texts("title", "chat", "call"),
    }),
  }),
  "complaint.yaml": z.strictObject({
    complaint: z.strictObject({
      ...texts("title", "lead", "other").shape,
      form: z.strictObject({
        ...texts("requiredNote", "submit", "sending", "notice", "withoutScript").shape,
        labels: texts("name", "email", "text"),
        hints: texts("email", "text"),
        summary: fieldCount,
        failure: z.strictObject({ ...texts("text", "again").shape, toast }),
        limited: z.strictObject({ ...texts("text").shape, toast }),
      }),
      received: z.strictObject({
        ...texts("title", "lead", "home").shape,
        reference,
        next: z.strictObject({ title: text, steps: some(titled) }),
        privacy: z.strictObject({ href: link, text }),
      }),
    }),
  }),
} as const;

/** A file of landing/, whose name is the page's address. */
export const LANDING = z.strictObject({
  also: z.array(name, "must be a list").default([]),
  head,
  hero,
  prices: name,
});

/** Where the home page shows offers. */
export const OFFER_PLACES = Object.keys(offerHeadings.shape);

export type FileName = keyof typeof FILES;
export type Content<Name extends FileName> = z.infer<(typeof FILES)[Name]>;
export type Landing = z.infer<typeof LANDING>;
