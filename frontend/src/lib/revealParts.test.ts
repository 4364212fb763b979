import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { revealAll, revealSoon } from "./revealParts";
import { scrollToSection } from "./scroll";

const frames: (() => void)[] = [];
const idle: (() => void)[] = [];
const page = document.documentElement;

beforeEach(() => {
  vi.stubGlobal("requestAnimationFrame", (then: () => void) => frames.push(then));
  vi.stubGlobal("requestIdleCallback", (then: () => void) => idle.push(then));
  page.dataset.fresh = "";
  document.body.innerHTML = '<div></div><div><section id="place"></section></div>';
});
afterEach(() => {
  revealAll();
  frames.length = 0;
  idle.length = 0;
  document.body.innerHTML = "";
});

const blocks = () => [...document.querySelectorAll<HTMLElement>("div")];
const laidOut = () => blocks().map(({ style }) => style.getPropertyValue("--visibility"));

it("lays out one block a frame, in their order, and then holds nothing back any more", () => {
  for (const block of blocks()) {
    revealSoon(block);
  }
  expect(laidOut()).toEqual(["", ""]);
  idle.shift()?.();
  expect(laidOut()).toEqual(["visible", ""]);
  expect(idle).toHaveLength(0);
  frames.shift()?.();
  idle.shift()?.();
  expect(laidOut()).toEqual(["visible", "visible"]);
  expect(page.dataset.fresh).toBe("");
  frames.shift()?.();
  idle.shift()?.();
  expect(page.dataset.fresh).toBeUndefined();
});

it("holds nothing back from the moment a section's place is measured", () => {
  const place = document.getElementById("place") as HTMLElement;
  const measured: unknown[] = [];
  vi.spyOn(place, "getBoundingClientRect").mockImplementation(() => {
    measured.push(page.dataset.fresh);
    return { top: 0 } as DOMRect;
  });
  scrollToSection("place");
  expect(measured).toEqual([undefined]);
});
