import { beforeEach, expect, it, vi } from "vitest";
import { ChunkLoadError, loadChunk } from "./chunks";
import { canRunApp } from "./engine";
import { fileIn, reportPageFailure, reportUncaught } from "./pageFailures";

const fetching = vi.fn<typeof fetch>();
const reports = () => fetching.mock.calls.map(([, options]) => JSON.parse(String(options?.body)));
const OURS = `${window.location.origin}/assets/sections-B7_TORMl.js`;

beforeEach(() => {
  fetching.mockReset();
  fetching.mockResolvedValue(new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", fetching);
});

it("names the file of ours that a cause speaks of, and no other", () => {
  expect(fileIn(new Error(`Failed to fetch dynamically imported module: ${OURS}?again`))).toBe("sections-B7_TORMl.js");
  const thrown = new Error("l is not a function");
  thrown.stack = `TypeError: l is not a function\n    at x (${OURS}:1:2)`;
  expect(fileIn(thrown)).toBe("sections-B7_TORMl.js");
  thrown.stack = "at chrome-extension://abc/content.js:1:2";
  expect(fileIn(thrown)).toBeNull();
  expect(fileIn("text")).toBeNull();
});

it("reports each failure once, a few of a page at most, and never throws", async () => {
  fetching.mockRejectedValue(new TypeError("offline"));
  vi.spyOn(console, "warn").mockImplementation(() => {});
  for (const file of ["a", "a", "b", "c", "d", "e", "f", "g"]) {
    reportPageFailure("chunk", `${file}.js`);
  }
  await Promise.resolve();
  expect(reports().map(({ file }) => file)).toEqual(["a.js", "b.js", "c.js", "d.js", "e.js"]);
});

it("reports errors that nobody caught, of our own scripts alone", () => {
  reportUncaught();
  const ours = new Error(`broken ${OURS}`);
  const foreign = new Error("broken");
  foreign.stack = "at chrome-extension://abc/content.js:1:2";
  window.dispatchEvent(new ErrorEvent("error", { error: foreign }));
  window.dispatchEvent(new ErrorEvent("error", { error: ours }));
  const rejection = Object.assign(new Event("unhandledrejection"), { reason: ours });
  window.dispatchEvent(rejection);
  expect(reports()).toEqual([{ kind: "error", file: "sections-B7_TORMl.js" }]);
});

it("a part that cannot be fetched is reported, and told apart from one that is broken", async () => {
  await expect(loadChunk(() => Promise.reject(new TypeError(`Importing ${OURS}`)))).rejects.toBeInstanceOf(
    ChunkLoadError,
  );
  expect(reports()).toEqual([{ kind: "chunk", file: "sections-B7_TORMl.js" }]);
  expect(await loadChunk(async () => 7)).toBe(7);
});

it.each([
  ["without AbortSignal.timeout", () => vi.stubGlobal("AbortSignal", {})],
  ["without IntersectionObserver", () => Reflect.deleteProperty(window, "IntersectionObserver")],
])("the app is not started in a browser %s", (_, remove) => {
  expect(canRunApp()).toBe(true);
  remove();
  expect(canRunApp()).toBe(false);
});
