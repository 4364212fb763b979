/** Under which id the visitor's statistics are counted, where they are allowed. */

import { state } from "./pageState";

/** Google Analytics' cookie, "GA1.1.1234567890.1700000000": its last two numbers are the client id. */
const COOKIE = /(?:^|; )_ga=GA\d\.\d+\.(\d+\.\d+)(?:;|$)/;

/** The analytics client id; the event's own id before there is one; null where nothing is counted. */
export function analyticsClickId(eventId: string): string | null {
  return state.counted ? (COOKIE.exec(document.cookie)?.[1] ?? eventId) : null;
}
