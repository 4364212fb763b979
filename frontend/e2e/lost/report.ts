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

const HEADS = ["engine", "page", "how it fails", "cases", "right", ...COUNTED, "sent natively"];

/** The rows of the table, by engine, page and way of failing. */
function countRows(results: readonly Result[]): string[] {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const { engine, one } = result;
    const key = [engine, one.path, isFile(one) ? one.how : "other cases"].join("\0");
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups].map(([key, group]) => counts(key.split("\0"), group));
}

/** The cells of all rows added up, the names apart. */
function total(rows: readonly string[]): string {
  const cells = rows.map((one) => one.split("|").slice(4, -1).map(Number));
  const sums = HEADS.slice(3).map((_, column) => cells.reduce((sum, one) => sum + (one[column] ?? 0), 0));
  return row(["all", "", "", ...sums]);
}

const table = (rows: readonly string[]) =>
  [row(HEADS), row(HEADS.map((_, column) => (column < 3 ? "---" : "--:"))), ...rows, total(rows)].join("\n");

export const countsTable = (results: readonly Result[]): string => table(countRows(results));

/** Lines of an earlier page that begin, after a mark, with another engine and its version than those of this run. */
const kept = (before: string, mark: string, engines: readonly string[]) =>
  before
    .split("\n")
    .filter((line) => line.startsWith(mark) && /^\w+ \d/.test(line.slice(mark.length)))
    .filter((line) => !engines.some((engine) => line.startsWith(mark + engine)));

/** The page with these results; what an earlier one, `before`, says of other engines stays. */
export function reportPage(
  results: readonly Result[],
  engines: readonly string[],
  took: string,
  before = "",
): string {
  const rows = [...kept(before, "| ", engines), ...countRows(results)].sort();
  const runs = [...kept(before, "- ", engines), ...engines.map((engine) => `- ${engine}: ${took}`)].sort();
  const wrong = [
    ...kept(before, "", engines),
    ...results.filter((one) => !isRight(one)).map((one) => `${one.engine.padEnd(24)} ${line(one)}`),
  ].sort();
  return `# What a phone can lose

Of a visit with an enquiry each file and each request fails, one at a time and in each way, and the visitor presses at most twice. *Right*: the
enquiry is stored once, as it was typed, the page is not white, and what it says is true.

${runs.join("\n")}

${table(rows)}

## What went wrong

${wrong.length === 0 ? "Nothing." : ["```", ...wrong, "```"].join("\n")}
`;
}
