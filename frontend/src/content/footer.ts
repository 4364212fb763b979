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
import { close, complaint, privacy, terms } from "#content/legal.yaml";
import { line } from "./line";

const footer = {
  wordmark: name,
  line,
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

/** Words of what stands at the foot of every page. Apart from the others: they are not needed at first. */
export const footerWords = (samples: boolean) => ({
  ...footer,
  authorisation: samples || !authorisation.sample ? authorisation : null,
  small: samples
    ? `© ${name.first} ${name.rest}. Sample content: what carries a Sample tag awaits the clinic's evidence.`
    : `© ${name.first} ${name.rest}`,
});
