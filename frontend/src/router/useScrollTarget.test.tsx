import { act, render } from "@testing-library/react";
import { MemoryRouter, type NavigateFunction, useNavigate } from "react-router-dom";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useScrollTarget } from "./useScrollTarget";

let navigate: NavigateFunction;
let resize = () => {};
const shown = vi.fn<(id: string, behaviour: unknown) => void>();

function Page({ sections }: { sections: readonly string[] }) {
  useScrollTarget();
  navigate = useNavigate();
  return (
    <>
      <h1>Title</h1>
      {sections.map((id) => (
        <section key={id} id={id} />
      ))}
    </>
  );
}

function open(path: string, sections: readonly string[] = ["premium-treatments", "clinic-showcase"]) {
  render(
    <MemoryRouter initialEntries={[path]}>
      <Page sections={sections} />
    </MemoryRouter>,
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  shown.mockReset();
  Element.prototype.scrollIntoView = function (options) {
    shown(this.id, (options as ScrollIntoViewOptions).behavior);
  };
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
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
const ids = () => shown.mock.calls.map(([id]) => id);

describe("scrolling to a path's section", () => {
  it("happens 100 ms after arriving", () => {
    open("/pricing");
    pass(99);
    expect(ids()).toEqual([]);
    pass(1);
    expect(ids()).toEqual(["premium-treatments"]);
  });

  it("happens again when what is above it changes, until the visitor's first input", () => {
    open("/pricing");
    pass(100);
    resize();
    expect(ids()).toHaveLength(2);
    window.dispatchEvent(new Event("wheel"));
    resize();
    expect(ids()).toHaveLength(2);
  });

  it("leads to what stands there instead of a section, and never throws where nothing does", () => {
    open("/results");
    pass(100);
    expect(ids()).toEqual(["clinic-showcase"]);
    open("/pricing", []);
    expect(() => pass(200)).not.toThrow();
  });

  it("does not happen on the way back", () => {
    open("/");
    act(() => navigate("/clinic"));
    pass(100);
    act(() => navigate("/pricing"));
    pass(100);
    act(() => navigate(-1));
    pass(200);
    expect(ids()).toEqual(["clinic-showcase", "premium-treatments"]);
  });

  it("does not take along whoever scrolled before", () => {
    open("/pricing");
    vi.stubGlobal("scrollY", 300);
    pass(100);
    expect(ids()).toEqual([]);
  });

  it("goes to the top of a page without a section, and gives the focus to its title", () => {
    open("/pricing");
    pass(100);
    expect(document.body).toHaveFocus();
    act(() => navigate("/thank-you"));
    expect(scrollTo).toHaveBeenLastCalledWith({ top: 0, behavior: "instant" });
    expect(document.querySelector("h1")).toHaveFocus();
  });

  it("leaves a page as it is while more is known of it", () => {
    open("/thank-you");
    act(() => navigate("/thank-you?reference=123456", { replace: true }));
    expect(document.body).toHaveFocus();
    expect(scrollTo).not.toHaveBeenCalled();
  });

  it.each([
    [true, "instant"],
    [false, "smooth"],
  ])("respects the wish for less motion (%s)", (matches, behaviour) => {
    vi.stubGlobal("matchMedia", () => ({ matches }));
    open("/pricing");
    pass(100);
    expect(shown).toHaveBeenLastCalledWith("premium-treatments", behaviour);
  });
});
