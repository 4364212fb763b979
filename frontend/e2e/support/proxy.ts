/** A proxy between the browser and the product that loses files and answers, and can change the build behind it. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export type Fault =
  /** 404, as for a file of a build that is gone. */
  | "missing"
  /** No answer, and the connection stays open. */
  | "silent"
  /** The page that a captive portal gives for every address, with status 200. */
  | "portal"
  /** The connection is closed. */
  | "cut"
  /** The product answers, and the answer is lost. */
  | "unanswered"
  /** Held back for a second, and lost when the browser hangs up meanwhile. */
  | "held";

export interface Asked {
  method: string;
  path: string;
}

export type Rule = (asked: Asked) => Fault | undefined;

const HELD_MS = 1000;
const QUIET_MS = 400;
/** A browser that has just been started takes its time for the first request. */
const FIRST_MS = 20_000;
const STEP_MS = 50;
const PORTAL = "<!doctype html><title>Welcome</title><h1>Accept the terms to use this network</h1>";

export class FaultyProxy {
  readonly asked: Asked[] = [];
  rule: Rule = () => undefined;
  private readonly server = createServer((asked, answer) => void this.serve(asked, answer));
  private open = 0;
  private changed = 0;

  /** `origin`: the product, or one of its builds; it may be changed at any time. */
  constructor(public origin: string) {}

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Waits until nothing is on its way, silence apart. */
  async quiet(limitMs = 5_000): Promise<void> {
    const first = Date.now() + FIRST_MS;
    while (this.asked.length === 0 && Date.now() < first) {
      await pause(STEP_MS);
    }
    const end = Date.now() + limitMs;
    this.changed = Date.now();
    while (Date.now() < end && (this.open > 0 || Date.now() - this.changed < QUIET_MS)) {
      await pause(STEP_MS);
    }
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = "GET", url = "/" } = asked;
    const { pathname: path } = new URL(url, this.origin);
    const fault = this.rule({ method, path });
    this.asked.push({ method, path });
    if (fault === "silent") {
      return;
    }
    this.count(1);
    answer.on("close", () => this.count(-1));
    if (fault === "held") {
      await pause(HELD_MS);
    }
    if (fault === "cut" || asked.socket.destroyed) {
      answer.destroy();
    } else if (fault === "missing") {
      answer.writeHead(404, { "Content-Type": "text/plain" }).end("Not found");
    } else if (fault === "portal") {
      answer.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(PORTAL);
    } else {
      this.passOn(asked, answer, fault === "unanswered");
    }
  }

  private count(change: number): void {
    this.open += change;
    this.changed = Date.now();
  }

  private passOn(asked: IncomingMessage, answer: ServerResponse, lost: boolean): void {
    // Host and Origin stay as the browser sent them, so that the product sees a page of its own.
    const { method, headers } = asked;
    const sent = { method, headers: { ...headers, connection: "close" }, agent: false };
    const onward = request(new URL(asked.url ?? "/", this.origin), sent, (given) => {
      if (lost) {
        given.resume().on("end", () => answer.destroy());
        return;
      }
      const { connection: _ours, ...rest } = given.headers;
      answer.writeHead(given.statusCode ?? 502, rest);
      given.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    asked.pipe(onward);
  }
}

export const openProxy = (origin: string): Promise<FaultyProxy> => new FaultyProxy(origin).listen();
