/**
 * What is to be said of content/, by a command. `check` begins each build: a sentence for each file that cannot be used.
 * `claims`: every claim with its age, evidence, expiry and contradictions, comparisons without a source, sentences that name
 * no claim and are not in plain.yaml, and what stops going live. `go-live`: what the clinic must still give, in this order.
 * Exits with 1 where something forbids to build or to go live.
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
  const { reviewClaims, unsourced } = await load("review.ts");
  const review = reviewClaims(read(folder, "claims.yaml").claims, today);
  const prose = proseWithoutClaim(spokenIn(folder), read(folder, "plain.yaml"));
  console.table(
    review.claims.map(({ id, says, state, approvedBy, ageDays, expiresOn, expired, evidence, conflicts }) => ({
      claim: id,
      says,
      state,
      "approved by": approvedBy,
      "age in days": ageDays,
      expires: expired ? `${expiresOn} EXPIRED` : expiresOn,
      evidence,
      "contradicted by": conflicts.join(", "),
    })),
  );
  const compared = unsourced(read(folder, "prices.yaml").lists, read(folder, "comparison.yaml"));
  print("Compared without a source (for the clinic to decide)", compared);
  print(
    "Prose without a claim",
    prose.map(({ file, field, says }) => `${file}: ${field}: ${says}`),
  );
  const stops = (await load("goLive.ts")).goLive(folder, today, settings()).flatMap((step) => step.stops);
  print("Stops going live", stops);
  return stops.length + prose.length === 0;
}

function settings() {
  const file = fileURLToPath(new URL("../../.env", import.meta.url));
  return { ...(existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {}), ...process.env };
}

async function goLive() {
  const steps = (await load("goLive.ts")).goLive(folder, today, settings());
  console.log("To go live, in this order:\n");
  for (const [place, { title, where, stops, open }] of steps.entries()) {
    const sign = stops.length > 0 ? "✗" : open.length > 0 ? " " : "✓";
    console.log(`${sign} ${place + 1}. ${title}: ${where}`);
    for (const line of [...stops.map((stop) => `STOP: ${stop}`), ...open]) {
      console.log(`       ${line}`);
    }
  }
  const stopped = steps.some(({ stops }) => stops.length > 0);
  if (stopped) {
    console.log("\nThe server refuses to start in production until nothing is marked with STOP.");
  }
  return !stopped;
}

process.exitCode = (await { check, claims, "go-live": goLive }[command]()) ? 0 : 1;
