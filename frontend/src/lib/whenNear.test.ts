import { expect, it, vi } from "vitest";
import { whenNear } from "./whenNear";

it.each([[[false, true]], [[true, false]]])("acts once when a busy engine delivers %j at once", (seen) => {
  const action = vi.fn();
  let deliver: (entries: { isIntersecting: boolean }[]) => void = () => undefined;
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(callback: typeof deliver) {
        deliver = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  whenNear(document.createElement("div"), {}, action);
  deliver(seen.map((isIntersecting) => ({ isIntersecting })));
  expect(action).toHaveBeenCalledOnce();
});
