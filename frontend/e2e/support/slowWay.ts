/** A way to the product that holds an enquiry back for a second, and loses it when the browser hangs up meanwhile. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const HELD_MS = 1000;

async function passOn(asked: IncomingMessage, answer: ServerResponse, origin: string): Promise<void> {
  if (asked.method === "POST") {
    await pause(HELD_MS);
    if (asked.socket.destroyed) {
      return;
    }
  }
  const { method, headers } = asked;
  const onward = request(new URL(asked.url ?? "/", origin), { method, headers }, (given) => {
    answer.writeHead(given.statusCode ?? 502, given.headers);
    given.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  asked.pipe(onward);
}

/** The way's address, and how to close it. */
export async function openSlowWay(origin: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((asked, answer) => void passOn(asked, answer, origin));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
