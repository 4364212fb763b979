/**
 * What is to be said of content/, by a command. `check` begins each build: a sentence for each file that cannot be used.
 * `claims`: every claim with its age, evidence, expiry and contradictions, prices that contradict each other, comparisons
 * without a source, and sentences that name no claim and are not in plain.yaml. `go-live`: what the clinic must still give,
 * in this order. Exits with 1 where something forbids to build, to state it, or to go live.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { runnerImport } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const [command, folder = `${root}content`] = process.argv.slice(2);
const today = new Date().toISOString().slice(0, 10);
const load = async (file) =>
  (await runnerImport(`./scripts/content/${file}`, { root, configFile: false, logLevel: "error" })).module;

async function check() {
  const problems = (await load("folder.ts")).problemsIn(folder);
  problems.forEach((problem) => void console.error(problem));
  return problems.length === 0;
}

function print(title, lines) {
  if (lines.length > 0) {
    console.log(`\n${title}:\n${lines.map((line) => `  ${line}`).join("\n")}`);
  }
}

async function claims() {
  const { read, spokenIn } = await load("folder.ts");
  const { proseWithoutClaim } = await load("prose.ts");
  const { outdated, priceOrder, reviewClaims, unsourced } = await load("review.ts");
  const review = reviewClaims(read(folder, "claims.yaml").claims, today);
  const { lists } = read(folder, "prices.yaml");
  const comparison = read(folder, "comparison.yaml");
  const prose = proseWithoutClaim(spokenIn(folder), read(folder, "plain.yaml"));
  console.table(
    review.claims.map(({ id, says, state, ageDays, expiresOn, expired, evidence, conflicts }) => ({
      claim: id,
      says,
      state,
      "age in days": ageDays,
      expires: expired ? `${expiresOn} EXPIRED` : expiresOn,
      evidence,
      "contradicted by": conflicts.join(", "),
    })),
  );
  print("More costs less (for the clinic to decide)", priceOrder(read(folder, "treatments.yaml").treatments, lists));
  print("Compared without a source (for the clinic to decide)", unsourced(lists, comparison));
  print(
    "Prose without a claim",
    prose.map(({ file, field, says }) => `${file}: ${field}: ${says}`),
  );
  const problems = [...review.problems, ...[outdated(comparison, today)].filter(Boolean)];
  print("Not to be stated", problems);
  return problems.length + prose.length === 0;
}

async function goLive() {
  const file = fileURLToPath(new URL("../../.env", import.meta.url));
  const settings = { ...(existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {}), ...process.env };
  const steps = (await load("goLive.ts")).goLive(folder, settings, today);
  console.log("To go live, in this order:\n");
  for (const [place, { title, where, open, stops = [] }] of steps.entries()) {
    const sign = stops.length > 0 ? "✗" : open.length > 0 ? " " : "✓";
    console.log(`${sign} ${place + 1}. ${title}: ${where}`);
    for (const line of [...stops.map((stop) => `STOP: ${stop}`), ...open]) {
      console.log(`       ${line}`);
    }
  }
  const stopped = steps.some(({ stops = [] }) => stops.length > 0);
  if (stopped) {
    console.log("\nNot to go live before what is marked with STOP is decided.");
  }
  return !stopped;
}

process.exitCode = (await { check, claims, "go-live": goLive }[command]()) ? 0 : 1;
