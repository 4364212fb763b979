/** Random ids and codes, and the session's id. Works on plain HTTP too, where crypto.randomUUID does not exist. */
import { state } from "./pageState";
import { readText, writeText } from "./storage";

const CODE_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/** Bytes below this are spread evenly over the alphabet. */
const FAIR_BYTES = 256 - (256 % CODE_ALPHABET.length);

/** A version 4 UUID. */
export function randomId(): string {
  if (typeof crypto.randomUUID === "function") {
    return crypto.randomUUID();
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** `length` capital letters and digits, each as likely as the others. */
export function randomCode(length: number): string {
  let code = "";
  while (code.length < length) {
    const byte = crypto.getRandomValues(new Uint8Array(1))[0] ?? 0;
    if (byte < FAIR_BYTES) {
      code += CODE_ALPHABET[byte % CODE_ALPHABET.length];
    }
  }
  return code;
}

const SESSION_KEY = "global_session_id";

/** This browser session's id, made on first use. Without storage it lasts as long as the page. */
export function sessionId(): string {
  const stored = readText("session", SESSION_KEY);
  if (stored) {
    return stored;
  }
  state.sessionId ??= randomId();
  writeText("session", SESSION_KEY, state.sessionId);
  return state.sessionId;
}
