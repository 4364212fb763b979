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
    document.body.innerHTML = '<section id="prices"><h2 data-section-title>Prices</h2></section>';
    window.location.hash = "#prices";
    return () => {
      window.location.hash = "";
    };
  });

  it("is moved below the bar, and held there", () => {
    top = 0;
    takeOverSection();
    expect(scrollTo).toHaveBeenLastCalledWith({ top: 0, behavior: "instant" });
    top = 300;
    resize();
    expect(scrollTo).toHaveBeenLastCalledWith({ top: 220, behavior: "instant" });
  });

  it("is left where the visitor has scrolled on", () => {
    top = 400;
    takeOverSection();
    expect(scrollTo).not.toHaveBeenCalled();
  });

  it("is left in a text, whose headings have a place of their own", () => {
    document.body.innerHTML = '<section id="prices"><h2>Prices</h2></section>';
    top = 16;
    takeOverSection();
    expect(scrollTo).not.toHaveBeenCalled();
  });

  it("is left when it is no section of the page", () => {
    window.location.hash = "#nothing";
    takeOverSection();
    expect(scrollTo).not.toHaveBeenCalled();
  });
});
