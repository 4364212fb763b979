/**
 * Prints every figure that the site states, with its age, evidence, expiry, state and contradictions. Exits with 1 when an
 * approved figure has expired or two approved figures contradict each other.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const load = async (file) =>
  (await runnerImport(file, { root, configFile: false, logLevel: "error" })).module;

const { readContent } = await load("./scripts/content/read.ts");
const { reviewClaims } = await load("./scripts/content/reviewClaims.ts");
const text = await readFile(`${root}content/claims.yaml`, "utf8");
const today = new Date().toISOString().slice(0, 10);
const { claims, problems } = reviewClaims(readContent("claims.yaml", text).claims, today);

const heads = ["claim", "says", "state", "checked", "expires", "evidence", "contradicted by"];
const lines = claims.map(({ id, says, state, ageDays, expiresOn, expired, evidence, conflicts }) => [
  id,
  says,
  state,
  ageDays === null ? "never" : `${ageDays} days ago`,
  expiresOn === null ? "-" : `${expiresOn}${expired ? " EXPIRED" : ""}`,
  evidence ?? "none",
  conflicts.join(", ") || "-",
]);
const widths = heads.map((head, column) =>
  Math.max(head.length, ...lines.map((line) => line[column].length)),
);
for (const line of [heads, widths.map((width) => "─".repeat(width)), ...lines]) {
  console.log(
    line
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
}
console.log(
  problems.length === 0
    ? "\nNothing that is approved has expired or is contradicted."
    : `\n${problems.join("\n")}`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
