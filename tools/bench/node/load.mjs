/** Runs one round of load with autocannon: reads the plan from standard input, prints the figures. Both are JSON. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import autocannon from "autocannon";

const plan = JSON.parse(readFileSync(0, "utf8"));
let sent = 0;

/** Every enquiry has a key of its own, and is another visitor's. */
function setupRequest(request) {
  const { body, headers } = plan.enquiries[sent++ % plan.enquiries.length];
  return { ...request, body, headers: { ...request.headers, ...headers, "Idempotency-Key": randomUUID() } };
}

const get = { method: "GET", path: plan.path, headers: { "Accept-Encoding": "gzip" } };
const post = { method: "POST", path: plan.path, headers: { "Content-Type": "application/json" }, setupRequest };
const load = (duration) =>
  autocannon({
    url: `http://127.0.0.1:${plan.port}`,
    connections: plan.connections,
    duration,
    ...(plan.rate ? { overallRate: plan.rate } : {}),
    requests: [plan.enquiries.length > 0 ? post : get],
  });

const rounds = [await load(plan.warm), await load(plan.seconds)];
const [, { latency, duration }] = rounds;
const other = rounds.flatMap(({ statusCodeStats, errors }) => [
  ...Object.keys(statusCodeStats).filter((code) => code !== String(plan.expected)),
  ...(errors > 0 ? ["no answer"] : []),
]);
console.log(
  JSON.stringify({
    rate: rounds[1]["2xx"] / duration,
    p99: latency.p99,
    all: rounds.reduce((sum, round) => sum + round["2xx"], 0),
    other,
  }),
);
