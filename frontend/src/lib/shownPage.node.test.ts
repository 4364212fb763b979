import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { noteShownPage, openUnlessShown } from "./shownPage";

const replace = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  replace.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function at(pathname: string): void {
  vi.stubGlobal("window", { location: { pathname, replace } });
}

it("opens a page as a document when its code does not come", () => {
  noteShownPage("/");
  at("/thank-you");
  openUnlessShown("/thank-you?reference=123456");
  vi.advanceTimersByTime(3999);
  expect(replace).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(replace).toHaveBeenCalledExactlyOnceWith("/thank-you?reference=123456");
});

it("leaves a page alone that is shown, and a visitor who has gone elsewhere", () => {
  at("/privacy");
  openUnlessShown("/privacy");
  noteShownPage("/privacy");
  vi.advanceTimersByTime(5000);
  openUnlessShown("/terms");
  vi.advanceTimersByTime(5000);
  expect(replace).not.toHaveBeenCalled();
});
