import { randomId } from "./random";
import { readText, writeText } from "./storage";

const KEY = "global_session_id";
let remembered: string | null = null;

/** This browser session's id, made on first use. Without storage it lasts as long as the page. */
export function sessionId(): string {
  const stored = readText("session", KEY);
  if (stored) {
    return stored;
  }
  remembered ??= randomId();
  writeText("session", KEY, remembered);
  return remembered;
}
