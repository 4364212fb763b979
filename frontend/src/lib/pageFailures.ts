/**
 * Tells our server what went wrong on a page: which kind, in which file. It says nothing about the visitor, asks for no
 * answer, and never gets in the way of the page.
 */
import { logFailure } from "./log";
import { state } from "./pageState";

/** The app did not start; a part's code did not come; a part failed; a part was not as it was painted; anything else. */
export type FailureKind = "start" | "chunk" | "boundary" | "mismatch" | "error";

/** A page that fails again and again says no more after so many. */
const MAX_REPORTS = 5;

/** The name of the script of ours that a cause names, in its message or its stack; null when it names none. */
export function fileIn(cause: unknown): string | null {
  const { message, stack } = cause instanceof Error ? cause : { message: String(cause), stack: "" };
  const [, path] = new RegExp(`${window.location.origin}/([\\w./-]+\\.js)`).exec(`${message}\n${stack}`) ?? [];
  return path?.split("/").at(-1) ?? null;
}

export function reportPageFailure(kind: FailureKind, file: string): void {
  const key = `${kind} ${file}`;
  if (state.failures.has(key) || state.failures.size >= MAX_REPORTS) {
    return;
  }
  state.failures.add(key);
  fetch("/api/page-failures", {
    method: "POST",
    keepalive: true,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ kind, file }),
  }).catch((cause: unknown) => logFailure("Reporting a failure", cause));
}

/** Reports errors that nobody caught, of our own scripts: what a browser's extensions do is not ours. */
export function reportUncaught(): void {
  const onFailure = (cause: unknown) => {
    const file = fileIn(cause);
    if (file) {
      reportPageFailure("error", file);
    }
  };
  window.addEventListener("error", ({ error }) => onFailure(error));
  window.addEventListener("unhandledrejection", ({ reason }) => onFailure(reason));
}
