import { logFailure } from "./log";

/** Browser storage, which may be full, forbidden or absent: failures are logged, never thrown. */
export type StorageKind = "local" | "session";

function open(kind: StorageKind): Storage {
  return kind === "local" ? window.localStorage : window.sessionStorage;
}

/** The stored text, or null when there is none or storage cannot be read. */
export function readText(kind: StorageKind, key: string): string | null {
  try {
    return open(kind).getItem(key);
  } catch (cause) {
    logFailure(`Reading ${key}`, cause);
    return null;
  }
}

export function writeText(kind: StorageKind, key: string, text: string): void {
  try {
    open(kind).setItem(key, text);
  } catch (cause) {
    logFailure(`Storing ${key}`, cause);
  }
}

export function forget(kind: StorageKind, key: string): void {
  try {
    open(kind).removeItem(key);
  } catch (cause) {
    logFailure(`Removing ${key}`, cause);
  }
}

/** The stored JSON value, or null when there is none or it is not JSON. */
export function readJson(kind: StorageKind, key: string): unknown {
  const text = readText(kind, key);
  if (text === null) {
    return null;
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    logFailure(`Reading ${key}`, cause);
    return null;
  }
}

export function writeJson(kind: StorageKind, key: string, value: unknown): void {
  writeText(kind, key, JSON.stringify(value));
}
