import { act, fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { useHeaderReturn } from "./useHeaderReturn";

function Header() {
  return (
    <>
      <header data-state={useHeaderReturn()} />
      <section id="place" />
    </>
  );
}

const state = () => screen.getByRole("banner").dataset.state;

function scrollTo(y: number): void {
  window.scrollY = y;
  act(() => {
    fireEvent.scroll(window);
  });
}

beforeEach(() => {
  window.scrollY = 0;
  render(<Header />);
});

it("comes back on the way up, and goes on the way down", () => {
  expect(state()).toBe("top");
  scrollTo(900);
  expect(state()).toBe("away");
  // A trembling finger.
  scrollTo(895);
  expect(state()).toBe("away");
  scrollTo(800);
  expect(state()).toBe("back");
  scrollTo(1000);
  expect(state()).toBe("away");
  scrollTo(0);
  expect(state()).toBe("top");
});
