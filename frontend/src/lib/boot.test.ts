import { beforeEach, describe, expect, it, vi } from "vitest";
import { preloadApp, quietOrInput } from "./boot";

const idle = vi.fn();
const settled = async (promise: Promise<void>) => {
  const done = vi.fn();
  promise.then(done);
  await Promise.resolve();
  await Promise.resolve();
  return done;
};

beforeEach(() => {
  idle.mockReset();
  vi.stubGlobal("requestIdleCallback", idle);
});

describe("the start of the app", () => {
  it("waits until a loaded page is idle", async () => {
    const done = await settled(quietOrInput());
    expect(done).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(idle).toHaveBeenCalled());
    idle.mock.calls[0]?.[0]();
    await vi.waitFor(() => expect(done).toHaveBeenCalled());
  });

  it("waits for the page's files first", async () => {
    vi.spyOn(document, "readyState", "get").mockReturnValue("interactive");
    await settled(quietOrInput());
    expect(idle).not.toHaveBeenCalled();
    window.dispatchEvent(new Event("load"));
    await vi.waitFor(() => expect(idle).toHaveBeenCalledTimes(1));
  });

  it.each(["pointerdown", "touchstart", "keydown", "wheel"])("comes at once with a %s", async (kind) => {
    const done = await settled(quietOrInput());
    window.dispatchEvent(new Event(kind));
    await vi.waitFor(() => expect(done).toHaveBeenCalled());
  });

  it("fetches the files that the build named, side by side", () => {
    document.head.innerHTML = '<script type="application/json" data-app="assets/a.js assets/b.js"></script>';
    preloadApp();
    const links = [...document.querySelectorAll('link[rel="modulepreload"]')];
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/assets/a.js", "/assets/b.js"]);
    document.head.innerHTML = "";
  });
});
