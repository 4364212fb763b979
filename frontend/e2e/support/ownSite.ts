/** One more web process of the running product, with variables of its own: on the same database and CRM. */
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const COMMAND = "exec python -m web";

export interface OwnSite {
  url: string;
  close: () => void;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

export async function startOwnSite(variables: Record<string, string>): Promise<OwnSite> {
  if (!process.env.DATABASE_URL) {
    throw new Error("DATABASE_URL is missing: this journey starts a web process of its own. Run: make browsers");
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, ...variables, PORT: String(port), METRICS_PORT: "" };
  const child = spawn("sh", ["-c", COMMAND], { cwd: ROOT, env, stdio: ["ignore", "ignore", "inherit"] });
  const ready = () =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(ready, { timeout: 100_000, message: "a web process of its own" }).toBe(200);
  return { url, close: () => child.kill() };
}
