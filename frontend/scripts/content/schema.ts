/** The schema of each file of content/. */
import { z } from "zod";
import {
  address,
  amount,
  CURRENCIES,
  claim,
  date,
  dentist,
  distinctIds,
  email,
  exactly,
  flag,
  hour,
  icon,
  link,
  longText,
  name,
  offer,
  pictogram,
  priceList,
  prose,
  question,
  share,
  some,
  source,
  text,
  texts,
  textWith,
  topic,
  treatment,
  video,
  withConsent,
} from "./entries.ts";

const WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

const notice = texts("link", "title", "text", "more");
const heading = texts("overline", "title");
const titled = texts("title", "text");
const titledLead = texts("title", "lead");
const fieldCount = z.strictObject({ one: text, many: textWith("{count}") });
const reference = texts("label", "copy", "copied");
const head = texts("title", "description");
const toast = texts("title", "description");
const hero = texts("overline", "title", "proof", "line");
const offerHeadings = z.strictObject({ "special-offers": heading, "special-promotions": heading });
const purpose = texts("label", "text");
/** The same fields under each of these names. */
const each = <Fields extends z.ZodType, Key extends string>(fields: Fields, ...keys: Key[]) =>
  z.strictObject(Object.fromEntries(keys.map((key) => [key, fields])) as Record<Key, Fields>);
const staged = z.strictObject({
  words: texts("play", "pause", "seek"),
  stages: some(z.strictObject({ from: z.number("must be a number"), text })),
});
const carousel = {
  ...texts("carousel", "carouselRole", "previous", "next", "show").shape,
  position: textWith("{number}", "{count}", "{name}"),
};

export const FILES = {
  "clinic.yaml": z.strictObject({
    site: text.regex(/^https:\/\/[^/\s]+$/, "must be an https:// address without a path"),
    name: texts("first", "rest"),
    address: texts("street", "postcode", "city", "country"),
    map: address,
    hours: z
      .strictObject({
        days: some(z.enum(WEEK, `must be one of ${WEEK.join(", ")}`)),
        opens: hour,
        closes: hour,
        closed: z.array(date),
        words: textWith("{days}", "{opens}", "{closes}"),
      })
      .refine(({ opens, closes }) => opens < closes, { path: ["closes"], message: "must be after opens" }),
    email,
    company: z.strictObject({ ...texts("name", "register").shape, representatives: text.nullable(), sample: flag }),
    authorisation: z.strictObject({ label: text, number: text, sample: flag }),
    editor: text,
    lastUpdated: date,
    complaints: z.strictObject({ text, email }),
  }),
  "claims.yaml": z.strictObject({ claims: z.record(name, claim) }),
  "plain.yaml": each(some(text), "visitor", "anywhere", "bound", "titles"),
  "treatments.yaml": z.strictObject({
    treatments: some(treatment).superRefine(distinctIds),
    words: z.strictObject({
      heading: texts("overline", "title", "lead"),
      off: textWith("{percent}"),
      save: textWith("{amount}"),
      wasUntil: textWith("{day}"),
      ...texts("price", "was", "open", "close", "duration", "visits", "warranty").shape,
      ...texts("process", "benefits", "includes", "excludes", "more").shape,
    }),
  }),
  "treatment-page.yaml": z.strictObject({
    breadcrumb: texts("label", "home", "treatments"),
    line: text,
    navigation: texts("in-the-price", "what-happens", "before-you-decide", "questions"),
    price: titledLead,
    course: texts("title", "guide", "suits", "decides"),
    related: texts("title", "lead", "all"),
    questions: heading,
  }),
  "prices.yaml": z.strictObject({
    lists: z.object({ home: priceList("GBP"), landing: priceList("EUR") }).catchall(priceList(...CURRENCIES)),
  }),
  "comparison.yaml": z
    .strictObject({
      sample: flag,
      source: text,
      checked_on: date.nullable(),
      lists: z.record(name, z.record(name, amount)),
      words: texts("title", "treatment", "elsewhere", "here", "saving"),
      alone: titledLead,
    })
    .refine(({ sample, checked_on }) => sample || checked_on !== null, {
      path: ["checked_on"],
      message: "must be the date of the last comparison with the source, because sample is false",
    }),
  "reasons.yaml": z.strictObject({
    reasons: exactly(6, z.strictObject({ pictogram, title: text, text: prose })),
    turkey: some(z.strictObject({ title: text, text: prose })),
    words: z.strictObject({ why: heading, turkey: texts("overline", "title", "alone") }),
  }),
  "journey.yaml": z.strictObject({
    steps: exactly(4, z.strictObject({ pictogram, title: text, when: text, who: text, text: prose })),
    heading,
    who: text,
  }),
  "faq.yaml": z.strictObject({ faq: some(question), heading }),
  "offers.yaml": z.strictObject({
    offers: z.array(offer, "must be a list").superRefine(distinctIds),
    headings: offerHeadings,
    words: z.strictObject({
      until: textWith("{day}"),
      left: z.strictObject({ last: text, one: text, many: textWith("{days}") }),
    }),
  }),
  "testimonials.yaml": z.strictObject({
    testimonials: exactly(
      3,
      withConsent({ id: name, name: text, review: text, poster: name.nullable(), video: video.nullable() }),
    ),
    words: z.strictObject({
      ...texts("title", "lead", "play", "none").shape,
      ...carousel,
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
        story: text,
        rating: z.literal(5, "must be 5"),
        before: name,
        after: name,
        start: share,
      }),
    ),
    words: z.strictObject({
      ...texts("title", "lead", "before", "after", "stamp").shape,
      smile: titled.extend({ alt: text, ask: text }),
      ...carousel,
      compare: textWith("{name}"),
      share: textWith("{share}"),
      rating: textWith("{rating}"),
    }),
  }),
  "gallery.yaml": z.strictObject({
    film: name,
    tour: z.strictObject({ film: name, sample: flag }).nullable(),
    gallery: exactly(4, z.strictObject({ id: name, image: name, caption: text, alt: text, sample: flag })),
    words: z.strictObject({
      illustrated: titledLead,
      film: texts("title", "lead", "play").extend({ staged }),
      tour: titledLead.extend({ illustrated: titledLead.extend({ mark: text }) }),
      imagePosition: textWith("{number}", "{count}"),
      ...texts("title", "lead", "gallery", "figures", "enlarge", "loading", "retry", "close").shape,
      ...texts("previousImage", "nextImage").shape,
    }),
  }),
  "dentists.yaml": z.strictObject({
    dentists: z.array(dentist, "must be a list"),
    words: z.strictObject({
      ...texts("overline", "title", "lead", "check").shape,
      registration: textWith("{number}"),
      languages: textWith("{languages}"),
    }),
  }),
  "brands.yaml": z.strictObject({
    brands: exactly(6, z.strictObject({ id: name, name: text, sample: flag })),
    words: z.strictObject({
      ...texts("title", "lead", "list", "pause", "play", "note").shape,
      footer: prose,
    }),
  }),
  "legal.yaml": z.strictObject({
    version: date,
    notices: z.record(name, notice),
    close: text,
    marketing: z.strictObject({ version: date, text }),
    page: texts("versionLabel", "from", "contents", "controller", "home"),
  }),
  "before-you-decide.yaml": z.strictObject({
    /** When a dentist last read it. */
    checked_on: date.nullable(),
    ...texts("title", "lead").shape,
    words: z.strictObject({
      section: titledLead,
      risks: titledLead.extend({ lines: exactly(3, text) }),
      sources: titledLead,
      ...texts("more", "contents", "ours", "from", "checked", "chat", "prices").shape,
    }),
    topics: some(topic).superRefine(distinctIds),
    sources: z.record(name, source),
  }),
  "consent.yaml": z.strictObject({
    version: date,
    ...texts("title", "text", "promise", "accept", "reject", "choose", "save", "legend", "needed", "reopen").shape,
    more: z.strictObject({ text, href: link }),
    purposes: z.strictObject({ analytics: purpose, advertising: purpose }),
  }),
  "tracking.yaml": z.strictObject({
    conversion: z.strictObject({
      value: z.number("must be a number"),
      currency: text.length(3, "must have three letters"),
    }),
    lead: texts("content_name", "content_category"),
  }),
  "heads.yaml": z.strictObject({ heads: each(head, "home", "thankYou", "beforeYouDecide", "notFound") }),
  "heroes.yaml": z.strictObject({
    home: hero,
    treatments: text,
    pictures: texts("large"),
  }),
  "site.yaml": z.strictObject({
    line: text,
    skip: text,
    topBar: texts("label", "instead"),
    header: z.strictObject({
      ...texts("call", "chat", "nav", "decide").shape,
      navigation: texts("premium-treatments", "clinic-showcase", "before-after-gallery", "questions"),
    }),
    chips: texts("premium-treatments", "before-you-decide", "clinic-showcase", "questions"),
    ctas: texts("form", "chat"),
    bottomBar: texts("label"),
    trust: text,
    footer: z.strictObject({
      ...texts("contactTitle", "call", "chat", "mapHint", "aboutTitle", "editorLabel", "updatedLabel").shape,
      ...texts("before", "small").shape,
    }),
    notFound: texts("title", "people", "line", "home"),
  }),
  "chat.yaml": texts("opening"),
  "languages.yaml": z.strictObject({
    ...texts("title", "list").shape,
    choices: some(
      z.strictObject({
        code: text.regex(/^[a-z]{2}$/, "must be a language's two letters"),
        name: text,
        opening: text,
        rtl: flag.optional(),
      }),
    ),
  }),
  "sample.yaml": texts("tag", "note"),
  "toast.yaml": texts("close"),
  "lead-form.yaml": z.strictObject({
    form: z.strictObject({
      ...texts("title", "titleAlone", "subtitle", "requiredNote", "submit", "sending").shape,
      labels: texts("name", "surname", "email", "phone", "message"),
      hints: texts("phone", "message"),
      country: z.strictObject({
        ...texts("button", "search", "list", "none").shape,
        change: textWith("{country}", "{code}"),
      }),
      notices: some(text),
      summary: fieldCount,
      failure: z.strictObject({ ...texts("text", "again", "chat", "call").shape, toast }),
      waiting: texts("text", "again"),
      limited: z.strictObject({ ...texts("text").shape, toast }),
      call: text,
      success: texts("title", "description", "later"),
    }),
    plain: each(titled, "open", "invalid", "failed", "again", "long", "unreadable"),
    beside: text,
    reassurances: some(z.strictObject({ icon, title: text, text: prose })),
  }),
  "validation.yaml": z.strictObject({
    messages: z.strictObject({
      ...texts("name", "surname", "email", "countryCode").shape,
      ...texts("phoneEmpty", "phone", "phoneTooShort", "phoneForCountry").shape,
      tooLong: textWith("{limit}"),
    }),
  }),
  "thank-you.yaml": z.strictObject({
    thankYou: z.strictObject({
      ...texts("eventTitle", "greeting", "lead", "call", "leadUnsent", "email", "home").shape,
      reference,
      details: z.strictObject({
        ...texts("title", "lead", "interest", "unknown", "when", "soon", "clock", "has").shape,
        ...texts("save", "saving", "tapped", "saved", "failed", "thanks").shape,
        needs: z.record(name, text),
        known: textWith("{treatment}"),
        parts: some(z.strictObject({ until: hour, text })),
        kinds: texts("xray", "photos", "quote"),
      }),
      next: z.strictObject({
        title: text,
        photos: z.strictObject({
          ...texts("title", "text", "button", "unknown").shape,
          opening: textWith("{reference}"),
        }),
        steps: some(titled),
      }),
      ready: z.strictObject({ title: text, items: some(text) }),
      contact: texts("title", "chat", "call"),
    }),
    plain: each(titled, "invalid", "limited", "failed", "long", "closed", "unreadable"),
  }),
} as const;

/** A file of landing/, whose name is the page's address. */
export const LANDING = z.strictObject({
  also: z.array(name, "must be a list").default([]),
  head,
  hero: z.strictObject({ ...hero.shape, primary: text, rests: name.optional() }),
  prices: name,
});

/** A file of text/, whose name is the page's address. */
export const TEXT = longText;

/** Where the home page shows offers. */
export const OFFER_PLACES = Object.keys(offerHeadings.shape);

export type FileName = keyof typeof FILES;
export type Content<Name extends FileName> = z.infer<(typeof FILES)[Name]>;
export type Landing = z.infer<typeof LANDING>;
export type LongText = z.infer<typeof TEXT>;
