import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Tip, TipGroup } from "./RadixTip";

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <TipGroup>
      <Tip text="About the first">First</Tip>
      <Tip text="About the second">Second</Tip>
    </TipGroup>,
  );
});
afterEach(() => {
  vi.useRealTimers();
});

const trigger = (name: string) => screen.getByRole("button", { name });
const enter = (name: string) => fireEvent.pointerMove(trigger(name), { pointerType: "mouse" });
/** Moves away, but not towards the tip, which stays open for a pointer on its way to it. */
function leave(name: string): void {
  fireEvent.pointerLeave(trigger(name), { pointerType: "mouse" });
  fireEvent.pointerMove(document.body, { pointerType: "mouse", clientX: 900, clientY: 900 });
}
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

it("opens after 700 ms, the next at once within 300 ms, and waits again after that", async () => {
  enter("First");
  await pass(699);
  expect(screen.queryByRole("tooltip")).toBeNull();
  await pass(1);
  expect(screen.getByRole("tooltip")).toHaveTextContent("About the first");
  leave("First");
  await pass(299);
  enter("Second");
  await pass(0);
  expect(screen.getByRole("tooltip")).toHaveTextContent("About the second");
  leave("Second");
  await pass(301);
  enter("First");
  await pass(600);
  expect(screen.queryByRole("tooltip")).toBeNull();
});

it("opens at once for the keyboard, describes its trigger, and closes on Esc", async () => {
  await act(async () => trigger("First").focus());
  expect(trigger("First")).toHaveAccessibleDescription("About the first");
  fireEvent.keyDown(document, { key: "Escape" });
  expect(screen.queryByRole("tooltip")).toBeNull();
});
