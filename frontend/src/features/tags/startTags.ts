/** Joins what pages report with the tags, as far as the visitor's choice goes. */
import { type Consent, type ConsentChoice, onConsent } from "@/lib/consent";
import { onEvent, type SiteEvent, takeEarlyEvents } from "@/lib/events";
import type { Settings } from "@/lib/settings";
import { GoogleTag } from "./googleTag";
import { MetaPixel, type TrackingValues } from "./metaPixel";

/** `consent`: the answer from an earlier visit, null when there is none that counts. Gives the way to stop. */
export function startTags(settings: Settings, values: TrackingValues, consent: Consent | null): () => void {
  const google = new GoogleTag(settings);
  const meta = new MetaPixel(settings);
  let choice: ConsentChoice = {};
  /** The page in view, until it was told. */
  let untold: Extract<SiteEvent, { kind: "page_view" }> | null = null;

  function tellView(): void {
    if (choice.analytics && untold?.path === window.location.pathname) {
      google.pageView(untold.title);
      untold = null;
    }
  }

  function tell(event: SiteEvent): void {
    if (event.kind === "page_view") {
      untold = event;
      tellView();
    } else if (event.kind === "conversion") {
      if (choice.advertising) {
        google.conversion(event.leadId, values.conversion);
        meta.lead(event.eventId, values);
      }
    } else if (choice.analytics) {
      google.click(event.kind, event.location);
    }
  }

  function follow(given: ConsentChoice): void {
    choice = given;
    google.follow(choice);
    meta.follow(choice.advertising === true);
    tellView();
  }

  if (consent) {
    follow(consent.choice);
  }
  for (const event of takeEarlyEvents()) {
    tell(event);
  }
  const stops = [onEvent(tell), onConsent((given) => follow(given.choice))];
  return () => {
    for (const stop of stops) {
      stop();
    }
  };
}
