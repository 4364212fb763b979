import { afterEach, expect, it, vi } from "vitest";
import { whenNear } from "./whenNear";

afterEach(() => vi.unstubAllGlobals());

/** Observes a box; the first function delivers what was seen of it. */
function observed() {
  const action = vi.fn();
  const disconnect = vi.fn();
  let deliver: (entries: { isIntersecting: boolean }[]) => void = () => undefined;
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(callback: typeof deliver) {
        deliver = callback;
      }
      observe() {}
      disconnect = disconnect;
    },
  );
  const stop = whenNear(document.createElement("div"), {}, action);
  const see = (...seen: boolean[]) => deliver(seen.map((isIntersecting) => ({ isIntersecting })));
  return { see, action, disconnect, stop };
}

it.each([{ seen: [false, true] }, { seen: [true, false] }])(
  "acts when a busy engine delivers $seen at once",
  ({ seen }) => {
    const { see, action } = observed();
    see(...seen);
    expect(action).toHaveBeenCalledOnce();
  },
);
