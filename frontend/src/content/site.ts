import { real as casesAreReal } from "#content/cases.yaml?real";
import {
  address,
  authorisation,
  complaints,
  editor,
  email,
  hours,
  lastUpdated,
  map,
  name,
} from "#content/clinic.yaml";
import { reopen } from "#content/consent.yaml";
import { real as clinicIsReal } from "#content/gallery.yaml?real";
import { close, complaint, privacy, terms } from "#content/legal.yaml";
import { claimsAt } from "./claims";

const footer = {
  wordmark: name,
  line: "Dental implants and crowns in Istanbul, planned with you before you travel.",
  contactTitle: "Contact",
  call: "Call",
  chat: "Write on WhatsApp",
  address,
  map,
  mapHint: "map",
  hours,
  email,
  aboutTitle: "About this site",
  editorLabel: "Editor",
  editor,
  updatedLabel: "Last updated",
  updated: lastUpdated,
  complaints,
  legal: {
    notices: [
      { ...privacy, href: "/privacy" },
      { ...terms, href: "/terms" },
    ],
    close,
    cookies: reopen,
    complaint,
  },
};

/** Words of what every page has around it. */
export const siteWords = (samples: boolean) => ({
  skip: "Skip to content",
  topBar: claimsAt("top-bar", samples),
  topBarLabel: "The clinic in figures",
  topBarInstead: footer.line,
  header: { wordmark: name, call: "Call the clinic", chat: "WhatsApp", nav: "Sections" },
  footer: {
    ...footer,
    authorisation: samples || !authorisation.sample ? authorisation : null,
    small: samples
      ? `© ${name.first} ${name.rest}. Sample content: what carries a Sample tag awaits the clinic's evidence.`
      : `© ${name.first} ${name.rest}`,
  },
  bottomBar: { label: "Get in touch", chat: "Talk to Advisor", form: "Get Free Consultation" },
});

const PLACES = [
  { href: "#premium-treatments", text: "Treatments", real: true },
  { href: "#clinic-showcase", text: "Clinic", real: clinicIsReal },
  { href: "#before-after-gallery", text: "Results", real: casesAreReal },
  { href: "#why-choose-turkey", text: "Why Turkey", real: true },
  { href: "#patient-journey", text: "Journey", real: true },
] as const;

/** The places that the header leads to on wide screens, in the page's order: five, or those that are shown. */
export const navigation = (samples: boolean) => PLACES.filter(({ real }) => samples || real);
