import { beforeEach, describe, expect, it, vi } from "vitest";
import { releaseSection, scrollToSection, takeOverSection } from "./scroll";

let top = 0;
let resize = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<section id="prices"></section>';
  top = 580;
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(() => new DOMRect(0, top, 0, 0));
  vi.stubGlobal(
    "scrollTo",
    vi.fn(({ top: to }: { top: number }) => {
      top = 580 - to;
    }),
  );
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(changed: () => void) {
        resize = changed;
      }
      observe() {}
      disconnect() {
        resize = () => {};
      }
    },
  );
  return () => {
    releaseSection();
    vi.useRealTimers();
  };
});

const jump = () => vi.stubGlobal("matchMedia", () => ({ matches: true }));

describe("a section that was scrolled to", () => {
  it("comes back to 80 px when what is above it changes, in a browser that does not anchor", () => {
    jump();
    scrollToSection("prices");
    expect(top).toBe(80);
    top = -316;
    vi.stubGlobal("scrollY", 500);
    vi.stubGlobal(
      "scrollTo",
      vi.fn(({ top: to }: { top: number }) => {
        top = -316 + 500 - to;
      }),
    );
    resize();
    expect(top).toBe(80);
  });

  it("is put right at the end of a smooth scroll, and not in the midst of it", () => {
    scrollToSection("prices");
    top = 335;
    resize();
    expect(scrollTo).toHaveBeenCalledTimes(1);
    document.dispatchEvent(new Event("scrollend"));
    expect(scrollTo).toHaveBeenLastCalledWith({ top: 255, behavior: "instant" });
  });

  it("is put right also where no browser reports the end", () => {
    scrollToSection("prices");
    top = 335;
    vi.advanceTimersByTime(2000);
    expect(scrollTo).toHaveBeenLastCalledWith({ top: 255, behavior: "instant" });
  });

  it.each(["wheel", "touchstart", "keydown", "pointerdown"])(
    "is let go with the visitor's first %s",
    (kind) => {
      jump();
      scrollToSection("prices");
      window.dispatchEvent(new Event(kind));
      top = -316;
      resize();
      expect(scrollTo).toHaveBeenCalledTimes(1);
    },
  );
});

describe("a section that the browser went to by itself", () => {
  beforeEach(() => {
    jump();
    window.location.hash = "#prices";
    return () => {
      window.location.hash = "";
    };
  });

  it.each([true, false])("is held in its place at once (less motion: %s)", (matches) => {
    vi.stubGlobal("matchMedia", () => ({ matches }));
    top = 80;
    takeOverSection();
    top = -238;
    vi.stubGlobal("scrollY", 500);
    resize();
    expect(scrollTo).toHaveBeenLastCalledWith({ top: 182, behavior: "instant" });
  });

  it.each([400, 96, -10])(
    "is left at %i px, where the visitor scrolled or a text has its headings",
    (place) => {
      top = place;
      takeOverSection();
      expect(scrollTo).not.toHaveBeenCalled();
    },
  );

  it("is left when there is none", () => {
    window.location.hash = "#nothing";
    takeOverSection();
    expect(scrollTo).not.toHaveBeenCalled();
  });
});
