/** The WhatsApp chat: its message, its address, and the record of a click. */
import { type Agent, isIosSafari } from "./device";
import { randomCode } from "./ids";
import { logFailure } from "./log";
import { post } from "./request";
import { describeVisit } from "./visit";

const CODE_LENGTH = 5;
/** Keeps the chat's address within the length that phones accept. */
const MAX_QUESTION_LENGTH = 700;

export function newChatCode(): string {
  return randomCode(CODE_LENGTH);
}

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

/**
 * Sends the click's record without waiting. The request outlives the page, and a failure is only logged. `language`: the
 * one that the visitor chose to write in, else that of the browser.
 */
export function recordChatClick(
  uniqueCode: string,
  buttonLocation: string,
  whatsappMessage: string,
  language?: string,
): void {
  // In the product's specification, and ignored by the API: the server knows the address from the connection.
  const unread: object = { ipAddress: null };
  const record = {
    ...describeVisit(),
    ...(language && { language }),
    uniqueCode,
    buttonLocation,
    whatsappMessage,
    analyticsClickId: null,
    ...unread,
  };
  post("/api/whatsapp-click", record, { keepalive: true }).catch((cause: unknown) =>
    logFailure("Recording a WhatsApp click", cause),
  );
}
