/** What jsdom lacks of a browser, as little as the tests need. */
import { webcrypto } from "node:crypto";
import { PerformanceObserver } from "node:perf_hooks";
import { ReadableStream } from "node:stream/web";
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";
import { resetState } from "@/lib/pageState";

/** Everything observed is on screen at once. */
class EverythingInView {
  readonly #callback: IntersectionObserverCallback;
  constructor(callback: IntersectionObserverCallback) {
    this.#callback = callback;
  }
  observe(target: Element): void {
    const entry = { isIntersecting: true, target } as unknown as IntersectionObserverEntry;
    this.#callback([entry], this as unknown as IntersectionObserver);
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** Nothing on the page ever changes its size. */
class NoResizes {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

// A busy machine takes longer than a second, the default, to load a chunk.
configure({ asyncUtilTimeout: 10_000 });

Object.assign(globalThis, { PerformanceObserver, ReadableStream });
Object.defineProperty(crypto, "subtle", { value: webcrypto.subtle });

beforeEach(() => {
  vi.stubGlobal("IntersectionObserver", EverythingInView);
  vi.stubGlobal("ResizeObserver", NoResizes);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("scrollTo", vi.fn());
  // Never idle: otherwise work would begin after the test and its page are gone.
  vi.stubGlobal("requestIdleCallback", vi.fn());
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  resetState();
});

// jsdom has none. In new browsers it returns a promise, which must never become an effect's clean-up.
Element.prototype.scrollIntoView = (() => Promise.resolve()) as () => void;

Element.prototype.animate = () => ({ pause() {}, play() {}, cancel() {} }) as unknown as Animation;

// It has sheets, but none that a script adds.
document.adoptedStyleSheets = [];
