/** Runs cases several at a time, each with an end. */
import { setTimeout as pause } from "node:timers/promises";
import type { Browser } from "@playwright/test";
import type { Case } from "./cases";
import { type Outcome, visit } from "./enquiry";

const CASE_MS = 90_000;
const JOBS = 3;
const HUNG = { troubles: ["hung" as const], presses: 0, native: false, seconds: CASE_MS / 1000, left: "" };

type Result = Omit<Outcome, "asked" | "troubles"> & { troubles: readonly string[] };

function line({ path, name, how }: Case, { troubles, presses, native, seconds, left }: Result): string {
  const found = troubles.length === 0 ? "ok" : troubles.join(", ").toUpperCase();
  const sent = `${presses} ${presses === 1 ? "press" : "presses"}${native ? ", native" : ""}, ${seconds.toFixed(0)} s`;
  return `${path.padEnd(22)} ${name.padEnd(28)} ${how.padEnd(28)} ${found} (${sent}) ${left}`.trimEnd();
}

/** A line for each case that goes wrong. `tell` is given the line of every case as it ends. */
export async function wrongOf(
  browser: Browser,
  origin: string,
  cases: readonly Case[],
  tell: (line: string) => unknown,
): Promise<string[]> {
  const waiting = [...cases];
  const wrong: string[] = [];
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const end = pause(CASE_MS, HUNG, { ref: false });
      const result: Result = await Promise.race([visit(browser, origin, one), end]);
      const said = line(one, result);
      tell(said);
      result.troubles.length > 0 && wrong.push(said);
    }
  };
  await Promise.all(Array.from({ length: JOBS }, worker));
  return wrong;
}
