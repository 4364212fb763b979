/** The cookie banner and the tags that depend on it: fetched after the page, when there is anything to ask for. */
import { createRoot } from "react-dom/client";
import * as words from "#content/consent.yaml";
import { conversion, lead } from "#content/tracking.yaml";
import { Consent, keepCampaign } from "@/features/consent/Consent";
import { startTags } from "@/features/tags/startTags";
import { answers, currentConsent, followOtherTabs } from "@/lib/consent";
import { purposesOf } from "@/lib/consentNeed";
import type { Settings } from "@/lib/pageSettings";

/** Asks unless the visitor has answered before, and applies the answer from then on. */
export function startConsent(settings: Settings): void {
  const asked = purposesOf(settings);
  const given = currentConsent();
  const consent = answers(given, words.version, asked, new Date()) ? given : null;
  followOtherTabs();
  keepCampaign(consent);
  startTags(settings, { conversion, lead }, consent);
  // First in the document, so that keyboards and screen readers reach it before the page it covers.
  const place = document.createElement("div");
  document.body.prepend(place);
  createRoot(place, { identifierPrefix: "consent" }).render(<Consent words={words} purposes={asked} />);
}
