/** Stands where Google's and Meta's servers are: hands out their scripts, and keeps what those are told. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Late enough that calls have to wait for a script. */
const SCRIPT_DELAY_MS = 400;

/** What the scripts do here: pass on every call, those that waited in the queue first. */
const SCRIPTS: Record<string, string> = {
  "/gtag/js": `
    const waiting = window.dataLayer.splice(0);
    const pass = (call) => send("google", [...call]);
    window.dataLayer.push = pass;
    waiting.forEach(pass);`,
  "/fbevents.js": `
    const pass = (...call) => send("meta", call);
    window.fbq.callMethod = pass;
    window.fbq.queue.splice(0).forEach((call) => pass(...call));`,
};

/** `page`: the address bar at that moment, which the real scripts read. */
const SEND = `
  const home = new URL(document.currentScript.src).origin;
  const send = (tag, call) => fetch(home + "/told", { method: "POST", mode: "no-cors", keepalive: true,
    body: JSON.stringify({ tag, call, page: location.href }) });`;

export interface Told {
  tag: "google" | "meta";
  call: unknown[];
  page: string;
}

export interface Sink {
  url: string;
  told: Told[];
  /** Paths of the scripts that were asked for, with their queries. */
  scripts: string[];
  close: () => void;
}

export async function openSink(): Promise<Sink> {
  const told: Told[] = [];
  const scripts: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const script = SCRIPTS[path.split("?", 1)[0] ?? ""];
    if (script) {
      scripts.push(path);
      response.setHeader("Content-Type", "text/javascript");
      setTimeout(() => response.end(`(() => {${SEND}${script}})();`), SCRIPT_DELAY_MS);
      return;
    }
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      told.push(JSON.parse(body));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, told, scripts, close: () => server.close() };
}
