/** Where pages report what happened. Tags subscribe once there are ids and consent. */
import { logFailure } from "./log";
import { state } from "./pageState";

export type SiteEvent =
  | { kind: "page_view"; title: string; path: string }
  /** `eventId` is the id under which our server knows the same event. */
  | { kind: "conversion"; leadId: string; eventId: string }
  | { kind: "whatsapp_click"; location: string; code: string; eventId: string }
  | { kind: "phone_click"; location: string };

export type EventListener = (event: SiteEvent) => void;

const listeners = new Set<EventListener>();
const EARLY_LIMIT = 50;

/** Adds a listener; the returned function removes it. */
export function onEvent(listener: EventListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The events reported so far. After the first call no more are kept. */
export function takeEarlyEvents(): SiteEvent[] {
  const events = state.early ?? [];
  state.early = null;
  return events;
}

/** Never throws: a tag that fails is not the page's failure. */
export function report(event: SiteEvent): void {
  if (state.early && state.early.length < EARLY_LIMIT) {
    state.early.push(event);
  }
  for (const listener of listeners) {
    try {
      listener(event);
    } catch (cause) {
      logFailure(`Reporting ${event.kind}`, cause);
    }
  }
}
