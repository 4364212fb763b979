import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Toasts, useToaster } from "./Toasts";

function Page() {
  const { show } = useToaster();
  const press = (title: string) => () => show({ title, description: `About ${title}`, tone: "calm" });
  return ["One", "Two"].map((title) => (
    <button key={title} type="button" onClick={press(title)}>
      Show {title}
    </button>
  ));
}

const site = (path: string) => (
  <Toasts page={path}>
    <Page />
  </Toasts>
);
let view: ReturnType<typeof render>;

const show = (title: string) => fireEvent.click(screen.getByRole("button", { name: `Show ${title}` }));
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const toast = (title: string) => screen.queryByText(title, { selector: "li *" });

beforeEach(async () => {
  // The toasts' code comes late; here it is fetched before the clock stands still.
  await import("./ToastViewport");
  vi.useFakeTimers();
  Element.prototype.setPointerCapture ??= () => {};
  Element.prototype.releasePointerCapture ??= () => {};
  Element.prototype.hasPointerCapture ??= () => false;
  view = render(site("/"));
});
afterEach(() => {
  vi.useRealTimers();
});

it("shows one at a time: the new one takes the place of the old", async () => {
  show("One");
  await pass(100);
  expect(toast("One")).toBeVisible();
  show("Two");
  await pass(100);
  expect(toast("Two")).toBeVisible();
  expect(toast("One")).toBeNull();
});

it("goes after 5 seconds", async () => {
  show("One");
  await pass(100);
  await pass(4800);
  expect(toast("One")).toBeVisible();
  await pass(300);
  expect(toast("One")).toBeNull();
});

it("does not come back with its page", async () => {
  show("One");
  await pass(100);
  view.rerender(site("/thank-you"));
  await pass(100);
  view.rerender(site("/"));
  await pass(100);
  expect(toast("One")).toBeNull();
});

it("is reached by F8", async () => {
  show("One");
  await pass(100);
  fireEvent.keyDown(document, { code: "F8", key: "F8" });
  expect(document.activeElement).not.toBe(document.body);
  expect(document.activeElement).toContainElement(toast("One"));
});

it.each([
  [49, true],
  [51, false],
])("a swipe of %i px to the right leaves it there: %s", async (distance, stays) => {
  show("One");
  await pass(100);
  const row = toast("One")?.closest("li") as HTMLElement;
  const pointer = { pointerId: 1, pointerType: "touch", button: 0, clientY: 0 };
  fireEvent.pointerDown(row, { ...pointer, clientX: 0 });
  fireEvent.pointerMove(row, { ...pointer, clientX: 20 });
  fireEvent.pointerMove(row, { ...pointer, clientX: distance });
  fireEvent.pointerUp(row, { ...pointer, clientX: distance });
  await pass(400);
  expect(toast("One") !== null).toBe(stays);
});
