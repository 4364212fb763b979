/**
 * Prints every claim of the site, with its age, evidence, expiry, state and contradictions, and below them prices that
 * contradict each other, comparisons without a source, and sentences that name no claim and are not in plain.yaml. Exits
 * with 1 when there is such a sentence, an approved claim or comparison has expired, or two approved claims contradict each
 * other.
 */
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const load = async (file) =>
  (await runnerImport(file, { root, configFile: false, logLevel: "error" })).module;

const { read, spokenIn } = await load("./scripts/content/folder.ts");
const { reviewClaims } = await load("./scripts/content/reviewClaims.ts");
const { proseWithoutClaim } = await load("./scripts/content/prose.ts");
const { outdated, priceOrder, unsourced } = await load("./scripts/content/reviewPrices.ts");
const folder = `${root}content`;
const today = new Date().toISOString().slice(0, 10);
const review = reviewClaims(read(folder, "claims.yaml").claims, today);
const { lists } = read(folder, "prices.yaml");
const comparison = read(folder, "comparison.yaml");

const heads = ["claim", "says", "state", "checked", "expires", "evidence", "contradicted by"];
const lines = review.claims.map(({ id, says, state, ageDays, expiresOn, expired, evidence, conflicts }) => [
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
const toDecide = {
  "More costs less": priceOrder(read(folder, "treatments.yaml").treatments, lists),
  "Compared without a source": unsourced(lists, comparison),
};
for (const [title, found] of Object.entries(toDecide).filter(([, all]) => all.length > 0)) {
  console.log(`\n${title} (for the clinic to decide):\n${found.map((line) => `  ${line}`).join("\n")}`);
}
const prose = proseWithoutClaim(spokenIn(folder), read(folder, "plain.yaml"));
console.log(`\nprose without a claim: ${prose.length}`);
for (const { file, field, says } of prose) {
  console.log(`  ${file}: ${field}: ${says}`);
}
const problems = [...review.problems, ...[outdated(comparison, today)].filter(Boolean)];
console.log(
  problems.length === 0
    ? "\nNothing that is approved has expired or is contradicted."
    : `\n${problems.join("\n")}`,
);
process.exitCode = problems.length + prose.length === 0 ? 0 : 1;
