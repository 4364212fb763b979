import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StartToken } from "./startToken";

const fetches = vi.fn<() => Promise<Response>>();
let issued = 0;
let start: StartToken;

const answer = () =>
  Promise.resolve(Response.json({ token: `signed-${++issued}`, waitSeconds: 4, renewSeconds: 3600 }));

beforeEach(() => {
  vi.useFakeTimers();
  start = new StartToken();
  issued = 0;
  fetches.mockReset().mockImplementation(answer);
  vi.stubGlobal("fetch", fetches);
});

afterEach(() => {
  vi.useRealTimers();
});

/** The headers, and after how many milliseconds they were there. */
async function timed(): Promise<[Record<string, string>, number]> {
  const began = Date.now();
  const headers = start.headers();
  let done = false;
  void headers.then(() => {
    done = true;
  });
  for (let step = 0; step < 200 && !done; step += 1) {
    await vi.advanceTimersByTimeAsync(50);
  }
  return [await headers, Date.now() - began];
}

describe("the start token", () => {
  it("is fetched once for many touches, and costs a visitor who typed no wait", async () => {
    void start.prepare();
    void start.prepare();
    await vi.advanceTimersByTimeAsync(10_000);
    void start.prepare();
    const [headers, waited] = await timed();
    expect(headers).toEqual({ "Start-Token": "signed-1" });
    expect(waited).toBeLessThanOrEqual(50);
    expect(fetches).toHaveBeenCalledTimes(1);
  });

  it("is waited for by autofill, which is faster than any person", async () => {
    void start.prepare();
    await vi.advanceTimersByTimeAsync(1000);
    const [, waited] = await timed();
    expect(waited).toBeGreaterThanOrEqual(3000);
    expect(waited).toBeLessThan(3200);
  });

  it("is renewed by a page that was left open over night", async () => {
    void start.prepare();
    await vi.advanceTimersByTimeAsync(9 * 3_600_000);
    void start.prepare();
    await vi.advanceTimersByTimeAsync(10_000);
    const [headers, waited] = await timed();
    expect(headers).toEqual({ "Start-Token": "signed-2" });
    expect(waited).toBeLessThanOrEqual(50);
  });

  it.each<[string, () => Promise<Response>]>([
    ["no network", () => Promise.reject(new TypeError("offline"))],
    ["an error", () => Promise.resolve(new Response("", { status: 503 }))],
    ["an answer that is none", () => Promise.resolve(Response.json({ token: 7 }))],
  ])("is done without after %s, and asked for again at the next press", async (_, failing) => {
    fetches.mockImplementation(failing);
    expect((await timed())[0]).toEqual({});
    fetches.mockImplementation(answer);
    expect((await timed())[0]).toEqual({ "Start-Token": "signed-1" });
  });

  it("does not keep a visitor who closes the page", async () => {
    void start.prepare();
    await vi.advanceTimersByTimeAsync(500);
    let sent = false;
    void start.headers().then(() => {
      sent = true;
    });
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toBe(false);
    window.dispatchEvent(new Event("pagehide"));
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toBe(true);
  });

  it("never makes anyone wait longer than six seconds, whatever the clock says", async () => {
    fetches.mockImplementation(() =>
      Promise.resolve(Response.json({ token: "signed", waitSeconds: 900, renewSeconds: 3600 })),
    );
    expect((await timed())[1]).toBeLessThan(6200);
  });
});
