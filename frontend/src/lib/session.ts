import { randomId } from "./random";
import { readText, writeText } from "./storage";

const KEY = "global_session_id";
let fallback: string | null = null;

/** This browser session's id, made on first use. Without storage it lasts as long as the page. */
export function sessionId(): string {
  const known = readText("session", KEY) ?? fallback;
  if (known) {
    return known;
  }
  fallback = randomId();
  writeText("session", KEY, fallback);
  return fallback;
}
