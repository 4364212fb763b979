import { act, screen } from "@testing-library/react";
import { lazy, StrictMode, Suspense, useState } from "react";
import { hydrateRoot, type Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ChunkLoadError } from "@/lib/chunks";
import { StaticFallbackBoundary } from "./StaticFallbackBoundary";

const fetching = vi.fn<typeof fetch>();
let root: Root | undefined;

beforeEach(() => {
  fetching.mockReset();
  fetching.mockResolvedValue(new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", fetching);
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => act(() => root?.unmount()));

/** A page as the build paints it, with a typed character; then the app, whose part does `what`. */
async function hydrate(Part: () => React.ReactNode, onFailed?: () => void) {
  const Painted = () => (
    <div>
      <form>
        <input name="name" />
      </form>
      <a href="tel:1">Call</a>
    </div>
  );
  const page = (Shown: () => React.ReactNode) => (
    <StrictMode>
      <h1>Clinic</h1>
      <StaticFallbackBoundary onFailed={onFailed}>
        <Suspense>
          <Shown />
        </Suspense>
      </StaticFallbackBoundary>
    </StrictMode>
  );
  document.body.innerHTML = `<div id="root">${renderToString(page(Painted))}</div>`;
  const input = document.querySelector("input") as HTMLInputElement;
  input.value = "Ada";
  input.focus();
  await act(async () => {
    root = hydrateRoot(document.getElementById("root") as HTMLElement, page(Part), {
      onRecoverableError: () => {},
    });
  });
  return input;
}

const reports = () => fetching.mock.calls.map(([url, options]) => [url, JSON.parse(String(options?.body))]);

it("keeps a part whose code cannot be fetched as it was painted, with what was typed, and says nothing twice", async () => {
  const onFailed = vi.fn();
  const input = await hydrate(
    lazy(() => Promise.reject(new ChunkLoadError("404"))) as unknown as () => React.ReactNode,
    onFailed,
  );
  expect(input.isConnected).toBe(true);
  expect(input.value).toBe("Ada");
  expect(input).toHaveFocus();
  expect(input.closest("[data-hydration-failed]")).not.toBeNull();
  expect(screen.getByRole("link", { name: "Call" })).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Clinic" })).toBeInTheDocument();
  expect(onFailed).toHaveBeenCalled();
  expect(reports()).toEqual([]);
});

it("keeps a part that fails while it is shown, and reports it", async () => {
  const input = await hydrate(() => {
    throw new Error("broken");
  });
  expect(input.isConnected).toBe(true);
  expect(input.value).toBe("Ada");
  expect(reports()).toEqual([["/api/page-failures", { kind: "boundary", file: "unknown.js" }]]);
});

it("keeps what a part showed last, when it fails later", async () => {
  function Part() {
    const [broken, setBroken] = useState(false);
    if (broken) {
      throw new Error("broken");
    }
    return (
      <button type="button" onClick={() => setBroken(true)}>
        Open
      </button>
    );
  }
  document.body.innerHTML = '<div id="root"></div>';
  await hydrate(() => <Part />);
  await act(async () => screen.getByRole("button", { name: "Open" }).click());
  expect(screen.getByRole("button", { name: "Open" })).toBeInTheDocument();
});
