import { act, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type EventListener, onEvent } from "@/lib/events";
import { Pages } from "@/router/App";
import { routeOf } from "@/router/routes";
import { headOf } from "./heads";

const { title: LANDING } = headOf(routeOf("/dental-implants"));

const { title: TREATMENT } = headOf(routeOf("/treatments/all-on-4"));

const seen = vi.fn<EventListener>();
let stop: () => void;

beforeEach(() => {
  seen.mockClear();
  stop = onEvent(seen);
});
afterEach(() => {
  stop();
  window.history.replaceState(null, "", "/");
});

/** The page arrives in a chunk of its own. */
async function open(path: string) {
  window.history.replaceState(null, "", path);
  render(
    <MemoryRouter initialEntries={[path]}>
      <Pages />
    </MemoryRouter>,
  );
  await screen.findByRole("heading", { level: 1 }, { timeout: 10_000 });
  await act(async () => {});
  return seen.mock.calls.map(([event]) => event);
}

it.each([
  ["/dental-implants", LANDING],
  ["/best-dental-implants-turkey", LANDING],
  ["/best-dental-implants-turkey/contact", LANDING],
  ["/treatments/all-on-4", TREATMENT],
  ["/dental-implants/treatments/all-on-4", TREATMENT],
  ["/thank-you", "Thank You"],
])("%s reports one view of itself", async (path, title) => {
  expect(await open(path)).toEqual([{ kind: "page_view", title, path }]);
});

it.each(["/", "/pricing", "/privacy", "/nowhere"])("%s reports none", async (path) => {
  expect(await open(path)).toEqual([]);
});
