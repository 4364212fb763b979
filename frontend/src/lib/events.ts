/** Where pages report what happened. Tags subscribe once there are ids and consent; until then nothing listens. */
export type SiteEvent =
  | { kind: "page_view"; title: string; path: string }
  | { kind: "conversion"; leadId: string }
  | { kind: "whatsapp_click"; location: string; code: string }
  | { kind: "phone_click"; location: string };

export type EventListener = (event: SiteEvent) => void;

const listeners = new Set<EventListener>();

/** Adds a listener; the returned function removes it. */
export function onEvent(listener: EventListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function report(event: SiteEvent): void {
  for (const listener of listeners) {
    listener(event);
  }
}
