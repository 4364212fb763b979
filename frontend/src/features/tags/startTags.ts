/** Passes the events that pages report to the tags that the visitor consented to. */
import { type Consent, type ConsentChoice, onConsent } from "@/lib/consent";
import { onEvent, type SiteEvent, takeEarlyEvents } from "@/lib/events";
import type { Settings } from "@/lib/pageSettings";
import { GoogleTag } from "./googleTag";
import { MetaPixel, type TrackingValues } from "./metaPixel";

/** `consent`: the valid answer of an earlier visit, or null. Returns a function that stops the tags. */
export function startTags(settings: Settings, values: TrackingValues, consent: Consent | null): () => void {
  const google = new GoogleTag(settings);
  const meta = new MetaPixel(settings);
  let choice: ConsentChoice = {};
  /** The view of the present page, until it has been sent. */
  let pendingView: Extract<SiteEvent, { kind: "page_view" }> | null = null;

  function sendView(): void {
    if (choice.analytics && pendingView?.path === window.location.pathname) {
      google.pageView(pendingView.title);
      pendingView = null;
    }
  }

  function handle(event: SiteEvent): void {
    if (event.kind === "page_view") {
      pendingView = event;
      sendView();
    } else if (event.kind === "conversion") {
      if (choice.advertising) {
        google.conversion(event.leadId, values.conversion);
        meta.lead(event.eventId, values);
      }
    } else if (choice.analytics) {
      event.kind === "phone_click"
        ? google.phoneClick(event.location)
        : google.chatClick(event.location, event.eventId);
    }
  }

  function applyChoice(given: ConsentChoice): void {
    choice = given;
    google.follow(choice);
    meta.follow(choice.advertising === true);
    sendView();
  }

  if (consent) {
    applyChoice(consent.choice);
  }
  for (const event of takeEarlyEvents()) {
    handle(event);
  }
  const stops = [onEvent(handle), onConsent((given) => applyChoice(given.choice))];
  return () => {
    for (const stop of stops) {
      stop();
    }
  };
}
