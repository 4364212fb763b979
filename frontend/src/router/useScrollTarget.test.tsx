import { act, render } from "@testing-library/react";
import { MemoryRouter, type NavigateFunction, useNavigate } from "react-router-dom";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { atNextInput, forgetInputs } from "@/lib/inputs";
import { useScrollTarget } from "./useScrollTarget";

let navigate: NavigateFunction;

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
  forgetInputs();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

describe("scrolling to a path's section", () => {
  it("happens 100 ms after arriving", () => {
    open("/pricing");
    pass(99);
    expect(scrollTo).not.toHaveBeenCalled();
    pass(1);
    expect(scrollTo).toHaveBeenCalledTimes(1);
  });

  it("leaves 80 px free above the section", () => {
    vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 500, 0, 0));
    open("/pricing");
    pass(100);
    expect(scrollTo).toHaveBeenLastCalledWith(expect.objectContaining({ top: 420 }));
  });

  it("leads to what stands there instead while the section is not shown", () => {
    vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 500, 0, 0));
    open("/results");
    pass(100);
    expect(scrollTo).toHaveBeenLastCalledWith(expect.objectContaining({ top: 420 }));
  });

  it("never throws when the section is missing", () => {
    open("/pricing", []);
    pass(200);
    expect(scrollTo).not.toHaveBeenCalled();
  });

  it("does not happen on the way back", () => {
    open("/");
    act(() => navigate("/clinic"));
    pass(100);
    expect(scrollTo).toHaveBeenCalledTimes(1);
    act(() => navigate("/pricing"));
    pass(100);
    act(() => navigate(-1));
    pass(200);
    expect(scrollTo).toHaveBeenCalledTimes(2);
  });

  it("does not take along whoever scrolled before", () => {
    atNextInput(() => {});
    open("/pricing");
    window.dispatchEvent(new Event("touchstart"));
    vi.stubGlobal("scrollY", 300);
    pass(100);
    expect(scrollTo).not.toHaveBeenCalled();
  });

  it("goes to the top of a page without a section", () => {
    open("/pricing");
    pass(100);
    act(() => navigate("/thank-you"));
    expect(scrollTo).toHaveBeenLastCalledWith({ top: 0, behavior: "instant" });
  });

  it("gives the focus to the title of a page reached by navigation, and on arrival to nothing", () => {
    open("/pricing");
    expect(document.body).toHaveFocus();
    act(() => navigate("/thank-you"));
    expect(document.querySelector("h1")).toHaveFocus();
  });

  it("jumps under reduced motion", () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    open("/pricing");
    pass(100);
    expect(scrollTo).toHaveBeenLastCalledWith(expect.objectContaining({ behavior: "instant" }));
  });
});
