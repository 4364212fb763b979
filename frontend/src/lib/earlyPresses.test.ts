import { beforeEach, expect, it, vi } from "vitest";
import { answerEarlyPresses, keepEarlyPresses } from "./earlyPresses";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** The app: it answers a button, or stops its clicks, as React stops those of parts that it has not reached. */
function page() {
  document.body.innerHTML = '<div id="root"><button>One</button><button>Two</button></div>';
  const root = document.querySelector("#root") as HTMLElement;
  const [one, two] = root.querySelectorAll("button") as unknown as [HTMLButtonElement, HTMLButtonElement];
  const blocked = new Set<EventTarget>();
  const answered: string[] = [];
  root.addEventListener(
    "click",
    (event) => blocked.has(event.target as Element) && event.stopPropagation(),
    true,
  );
  const run = () =>
    root.addEventListener("click", (event) => answered.push((event.target as Element).textContent ?? ""));
  return { one, two, blocked, answered, run };
}

it("keeps what is pressed before the app runs, and what it cannot answer yet, and presses each once more", () => {
  const { one, two, blocked, answered, run } = page();
  keepEarlyPresses();
  one.click();
  one.click();
  vi.advanceTimersByTime(500);
  expect(answered).toEqual([]);
  expect(one.dataset.kept).toBe("");

  blocked.add(two);
  run();
  answerEarlyPresses();
  expect(answered).toEqual(["One"]);
  expect(one.dataset.kept).toBeUndefined();

  two.click();
  vi.advanceTimersByTime(500);
  expect(answered).toEqual(["One"]);
  blocked.delete(two);
  vi.advanceTimersByTime(100);
  expect(answered).toEqual(["One", "Two"]);

  two.click();
  vi.advanceTimersByTime(500);
  expect(answered).toEqual(["One", "Two", "Two"]);

  blocked.add(two);
  two.click();
  vi.advanceTimersByTime(20_000);
  blocked.delete(two);
  vi.advanceTimersByTime(1000);
  expect(answered).toHaveLength(3);
});

it("meets no click that the app itself stops: it would be pressed again", () => {
  const sources = import.meta.glob<string>(["/src/**/*.{ts,tsx}", "!/src/**/*.test.*"], {
    query: "?raw",
    import: "default",
    eager: true,
  });
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  expect(Object.keys(sources).filter((file) => sources[file]?.includes("opPropagation("))).toEqual([]);
});
