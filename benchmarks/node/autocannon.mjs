/**
 * Executes a plan of the benchmarks with autocannon, at the full speed of its connections. Reads the plan and prints
 * the result as benchmarks/generator.py does, so that the two can be compared.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import autocannon from "autocannon";

const plan = JSON.parse(readFileSync(0, "utf8"));
let sent = 0;

/** Every enquiry has a key of its own, and a start token that few others use. */
function setupRequest(request) {
  const number = sent++;
  return {
    ...request,
    body: plan.bodies[number % plan.bodies.length],
    headers: {
      ...request.headers,
      "Idempotency-Key": randomUUID(),
      "Start-Token": plan.tokens[number % plan.tokens.length],
    },
  };
}

const load = (duration) =>
  autocannon({
    url: `http://127.0.0.1:${plan.ports[0]}`,
    connections: plan.connections,
    duration: Math.ceil(duration),
    requests: [
      { method: "POST", path: plan.path, headers: { "Content-Type": "application/json" }, setupRequest },
    ],
  });

const warm = await load(plan.warm);
const result = await load(plan.seconds);
const codes = {};
for (const { statusCodeStats, errors } of [warm, result]) {
  for (const [code, { count }] of Object.entries(statusCodeStats)) {
    codes[code] = (codes[code] ?? 0) + count;
  }
  if (errors > 0) {
    codes["-1"] = (codes["-1"] ?? 0) + errors;
  }
}
console.log(
  JSON.stringify({
    rate: result["2xx"] / result.duration,
    p50: result.latency.p50 / 1000,
    p99: result.latency.p99 / 1000,
    all: warm["2xx"] + result["2xx"],
    codes,
  }),
);
