/** The page of results: counts by page, engine and way of failing, and every case that went wrong. */
import { type Case, isFile } from "./cases";
import type { Trouble } from "./enquiry";

export interface Result {
  engine: string;
  one: Case;
  /** "hung": the visit did not end. */
  troubles: (Trouble | "hung")[];
  presses: number;
  native: boolean;
  seconds: number;
  left: string;
}

const COUNTED: readonly Result["troubles"][number][] = [
  "lost",
  "white",
  "untrue",
  "not told",
  "twice",
  "changed",
  "hung",
];

const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
const isRight = ({ troubles }: Result) => troubles.length === 0;

export function line({ one, troubles, presses, native, seconds, left }: Result): string {
  const found = troubles.length === 0 ? "ok" : troubles.join(", ").toUpperCase();
  const how = `${presses} ${presses === 1 ? "press" : "presses"}${native ? ", native" : ""}, ${seconds.toFixed(0)} s`;
  return `${one.path.padEnd(22)} ${one.name.padEnd(28)} ${one.how.padEnd(28)} ${found} (${how}) ${left}`.trimEnd();
}

function counts(name: readonly string[], results: readonly Result[]): string {
  const having = COUNTED.map(
    (trouble) => results.filter(({ troubles }) => troubles.includes(trouble)).length,
  );
  const native = results.filter((one) => one.native).length;
  return row([...name, results.length, results.filter(isRight).length, ...having, native]);
}

export function countsTable(results: readonly Result[]): string {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const key = [result.engine, result.one.path, isFile(result.one) ? result.one.how : "other cases"].join(
      "\0",
    );
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  const heads = ["engine", "page", "how it fails", "cases", "right", ...COUNTED, "sent natively"];
  return [
    row(heads),
    row(heads.map((_, column) => (column < 3 ? "---" : "--:"))),
    ...[...groups].map(([key, group]) => counts(key.split("\0"), group)),
    counts(["all", "", ""], results),
  ].join("\n");
}

export function reportPage(results: readonly Result[], engines: readonly string[], took: string): string {
  const wrong = results.filter((one) => !isRight(one));
  return `# What a phone can lose

Made by \`make lost-files ARGS="--report docs/lost-files.md"\` ([testing](testing.md#lost-files)): of a visit with an
enquiry each file and each request fails, one at a time and in each way, and the visitor presses at most twice. *Right*: the
enquiry is stored once, as it was typed, the page is not white, and what it says is true.

Engines: ${engines.join(", ")}. ${took}

${countsTable(results)}

## What went wrong

${wrong.length === 0 ? "Nothing." : ["```", ...wrong.map((one) => `${one.engine.padEnd(24)} ${line(one)}`), "```"].join("\n")}
`;
}
