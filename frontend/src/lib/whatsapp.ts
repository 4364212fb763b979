/** The WhatsApp chat: its message, its address, and the record of a click. */
import { type Agent, isIosSafari } from "./device";
import { report } from "./events";
import { randomCode, randomId } from "./ids";
import { logFailure } from "./log";
import { state } from "./pageState";
import { visitorRegion } from "./region";
import { post } from "./request";
import { describeVisit } from "./visit";

const CODE_LENGTH = 5;
/** Keeps the chat's address within the length that phones accept. */
const MAX_QUESTION_LENGTH = 700;

/** Makes what follows a text from right to left, although the code in front of it is Latin. */
export const RIGHT_TO_LEFT = "\u200f";

/** The pre-filled text: the code in brackets, the opening, and the visitor's own question if there is one. */
export function chatMessage(opening: string, code: string, question = ""): string {
  const mark = opening.startsWith(RIGHT_TO_LEFT) ? RIGHT_TO_LEFT : "";
  const line = `${mark}[${code}] ${opening.slice(mark.length)}`;
  const asked = question.trim().slice(0, MAX_QUESTION_LENGTH);
  return asked ? `${line}\n\n${asked}` : line;
}

/** `number` is digits only, with the country code. */
export function chatLink(number: string, message: string): string {
  return `https://wa.me/${number}?text=${encodeURIComponent(message)}`;
}

/** iOS Safari opens the chat from the same tab; a new tab would stay open and empty. */
export function chatTarget(agent: Agent): "_self" | "_blank" {
  return isIosSafari(agent) ? "_self" : "_blank";
}

/** Google Analytics' cookie, "GA1.1.1234567890.1700000000": its last two numbers are the client id. */
const COOKIE = /(?:^|; )_ga=GA\d\.\d+\.(\d+\.\d+)(?:;|$)/;

/** The analytics client id; the event's own id before there is one; null where nothing is counted. */
export function analyticsClickId(eventId: string): string | null {
  return state.counted ? (COOKIE.exec(document.cookie)?.[1] ?? eventId) : null;
}

interface Click {
  uniqueCode: string;
  buttonLocation: string;
  whatsappMessage: string;
  eventId: string;
  /** The one that the visitor chose to write in; without it the record has the browser's. */
  language?: string;
}

/** Sends the click's record without waiting. The request outlives the page, and a failure is only logged. */
export function recordChatClick(click: Click): void {
  // In the product's specification, and ignored by the API: the server knows the address from the connection.
  const unread: object = { ipAddress: null };
  const record = {
    ...describeVisit(),
    ...click,
    countryIso: visitorRegion(navigator.languages),
    analyticsClickId: analyticsClickId(click.eventId),
    ...unread,
  };
  post("/api/whatsapp-click", record, { keepalive: true }).catch((cause: unknown) =>
    logFailure("Recording a WhatsApp click", cause),
  );
}

/**
 * Gives a chat a code, and records and reports the tap. `generic` is the chat's address with its opening alone; the
 * result is the address with the code and the question, and the tab in which it opens. `language`: of the opening, where it
 * is not the page's.
 */
export function codedChat(generic: string, source: string, question: string, language = "") {
  const { pathname, searchParams } = new URL(generic);
  const code = randomCode(CODE_LENGTH);
  const eventId = randomId();
  const message = chatMessage(searchParams.get("text") ?? "", code, question);
  const click = { uniqueCode: code, buttonLocation: source, whatsappMessage: message, eventId };
  recordChatClick(language ? { ...click, language } : click);
  report({ kind: "whatsapp_click", location: source, code, eventId });
  return { href: chatLink(pathname.slice(1), message), target: chatTarget(navigator) };
}
