/** Runs cases several at a time, each with an end. */
import { setTimeout as pause } from "node:timers/promises";
import type { Engine } from "../support/visitor";
import type { Case } from "./cases";
import { visit } from "./enquiry";
import type { Result } from "./report";

const CASE_MS = 90_000;

async function run(engine: Engine, origin: string, one: Case): Promise<Result> {
  const hung = { troubles: ["hung" as const], presses: 0, native: false, seconds: CASE_MS / 1000, left: "" };
  const outcome = await Promise.race([visit(engine, origin, one), pause(CASE_MS, hung, { ref: false })]);
  return { ...outcome, engine: engine.name, one };
}

export async function runAll(
  engine: Engine,
  origin: string,
  cases: readonly Case[],
  { jobs, tell = () => {} }: { jobs: number; tell?: (result: Result) => void },
): Promise<Result[]> {
  const waiting = [...cases];
  const results: Result[] = [];
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const result = await run(engine, origin, one);
      results.push(result);
      tell(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  // In the order of the cases, whatever was ready first.
  return results.sort((a, b) => cases.indexOf(a.one) - cases.indexOf(b.one));
}
