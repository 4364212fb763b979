import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { SectionLink } from "./SectionLink";

const scrollTo = vi.fn();

beforeEach(() => {
  vi.stubGlobal("scrollTo", scrollTo);
  scrollTo.mockReset();
  window.history.replaceState({ key: "visit" }, "", "/dental-implants?gclid=1");
});

function open() {
  render(
    <>
      <SectionLink href="#prices">Prices</SectionLink>
      <section id="prices" tabIndex={-1} />
    </>,
  );
  return screen.getByRole("link", { name: "Prices" });
}

it("goes to its section, which the address names then, with a way back", () => {
  const link = open();
  const entries = window.history.length;
  expect(fireEvent.click(link)).toBe(false);
  expect(scrollTo).toHaveBeenCalledOnce();
  expect(window.location.href).toMatch(/\/dental-implants\?gclid=1#prices$/);
  expect(window.history.length).toBe(entries + 1);
  expect(window.history.state).toEqual({ key: "visit" });
  fireEvent.click(link);
  expect(window.history.length).toBe(entries + 1);
});

it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
  "leaves a press with %j to the browser",
  (how) => {
    expect(fireEvent.click(open(), how)).toBe(true);
    expect(scrollTo).not.toHaveBeenCalled();
  },
);
