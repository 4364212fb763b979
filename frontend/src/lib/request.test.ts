import { describe, expect, it, vi } from "vitest";
import { HttpError, read, write } from "./request";

function answers(response: Response) {
  const fetching = vi.fn<typeof fetch>(async () => response);
  vi.stubGlobal("fetch", fetching);
  return fetching;
}

describe("the request module", () => {
  it("names the status of a failed answer with its body, else with the status text", async () => {
    answers(new Response("no room", { status: 503, statusText: "Service Unavailable" }));
    const failure = { message: "503: no room", status: 503 };
    await expect(write("POST", "/api/leads", {})).rejects.toMatchObject(failure);
    answers(new Response("", { status: 502, statusText: "Bad Gateway" }));
    await expect(read(["/api", "geo"])).rejects.toMatchObject({ message: "502: Bad Gateway" });
  });

  it("sends JSON with credentials", async () => {
    const fetching = answers(Response.json({}));
    await write("POST", "/api/leads", { name: "Ada" }, { headers: { "Idempotency-Key": "k" } });
    expect(fetching).toHaveBeenCalledWith("/api/leads", {
      method: "POST",
      keepalive: false,
      credentials: "include",
      headers: { "Content-Type": "application/json", "Idempotency-Key": "k" },
      body: '{"name":"Ada"}',
    });
  });

  it.each([
    ["outlives the page when it is asked to", "x".repeat(60 * 1024 - 3), true],
    ["does not outlive the page from 60 KiB on: fetch would refuse it", "x".repeat(60 * 1024 - 2), false],
    ["counts bytes, not characters", "ş".repeat(30 * 1024 - 1), false],
  ])("%s", async (_, body, keepalive) => {
    const fetching = answers(Response.json({}));
    await write("POST", "/api/leads", body, { keepalive: true });
    expect(fetching.mock.calls[0]?.[1]?.keepalive).toBe(keepalive);
  });

  it("joins a key's segments by slashes", async () => {
    const fetching = answers(Response.json({ ok: true }));
    expect(await read(["/api", "leads", "7"])).toEqual({ ok: true });
    expect(fetching.mock.calls[0]?.[0]).toBe("/api/leads/7");
    expect(fetching.mock.calls[0]?.[1]?.credentials).toBe("include");
  });

  it("throws on a 401 unless null is asked for", async () => {
    answers(new Response("who?", { status: 401 }));
    await expect(read(["/api/me"])).rejects.toBeInstanceOf(HttpError);
    answers(new Response("who?", { status: 401 }));
    expect(await read(["/api/me"], { on401: "null" })).toBeNull();
  });

  it("does not retry", async () => {
    const fetching = answers(new Response("", { status: 500 }));
    await read(["/x"]).catch(() => null);
    expect(fetching).toHaveBeenCalledTimes(1);
  });
});
