/** Under which id the visitor's statistics are counted, where they are allowed. */

/** Google Analytics' cookie, "GA1.1.1234567890.1700000000": its last two numbers are the client id. */
const COOKIE = /(?:^|; )_ga=GA\d\.\d+\.(\d+\.\d+)(?:;|$)/;

let counted = false;

/** To be called by the tag that counts, with each choice of the visitor. */
export function countStatistics(allowed: boolean): void {
  counted = allowed;
}

/** The analytics client id; the event's own id before there is one; null where nothing is counted. */
export function analyticsClickId(eventId: string): string | null {
  return counted ? (COOKIE.exec(document.cookie)?.[1] ?? eventId) : null;
}
