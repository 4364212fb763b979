import { act, render, screen } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { late, loadLateBlocks } from "./late";

/** Nothing is near until the test says so. */
const watched: { show: () => void }[] = [];
class NothingInView {
  constructor(callback: IntersectionObserverCallback) {
    const entries = [{ isIntersecting: true }] as IntersectionObserverEntry[];
    watched.push({ show: () => callback(entries, this as unknown as IntersectionObserver) });
  }
  observe(): void {}
  disconnect(): void {}
}

function Block() {
  return <button type="button">Play</button>;
}

async function preRendered(name: string) {
  const Late = late(name, async () => Block);
  await loadLateBlocks();
  const page = document.createElement("div");
  page.innerHTML = renderToString(<Late />);
  document.body.append(page);
  return page;
}

it("is pre-rendered whole", async () => {
  const page = await preRendered("whole");
  expect(page).toHaveTextContent("Play");
  page.remove();
});

it("keeps its HTML and fetches nothing until it is near, and then hydrates the same element", async () => {
  vi.stubGlobal("IntersectionObserver", NothingInView);
  const page = await preRendered("near");
  const button = screen.getByRole("button", { name: "Play" });
  const load = vi.fn(async () => Block);
  const Late = late("near", load);
  await act(async () => hydrateRoot(page, <Late />));
  expect(load).not.toHaveBeenCalled();
  expect(screen.getByRole("button", { name: "Play" })).toBe(button);
  await act(async () => watched.at(-1)?.show());
  expect(load).toHaveBeenCalledTimes(1);
  expect(screen.getByRole("button", { name: "Play" })).toBe(button);
  page.remove();
});

it("comes at once with a change of page", async () => {
  vi.stubGlobal("IntersectionObserver", NothingInView);
  const page = await preRendered("leaving");
  const load = vi.fn(async () => Block);
  const Late = late("leaving", load);
  await act(async () => hydrateRoot(page, <Late />));
  await act(async () => window.dispatchEvent(new PopStateEvent("popstate")));
  expect(load).toHaveBeenCalledTimes(1);
  page.remove();
});

it("comes at once where there is nothing pre-rendered", async () => {
  vi.stubGlobal("IntersectionObserver", NothingInView);
  const Late = late("fresh", async () => Block);
  render(<Late />);
  expect(await screen.findByRole("button", { name: "Play" })).toBeVisible();
});

it("stays as it was while its code cannot be fetched, and tries again", async () => {
  vi.useFakeTimers();
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const page = await preRendered("failing");
  const load = vi.fn(async () => Block).mockRejectedValueOnce(new Error("offline"));
  const Late = late("failing", load);
  await act(async () => hydrateRoot(page, <Late />));
  expect(page).toHaveTextContent("Play");
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(load).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
  page.remove();
});

it("is fetched soon where that is asked for, near or not", async () => {
  vi.stubGlobal("IntersectionObserver", NothingInView);
  const page = await preRendered("soon");
  const load = vi.fn(async () => Block);
  const Late = late("soon", load, { soon: true });
  await act(async () => hydrateRoot(page, <Late />));
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  page.remove();
});
