import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { words } from "#content/brands.yaml";
import { withClaims } from "@/content/namedClaims";
import { ImplantsMarquee } from "./ImplantsMarquee";

vi.mock("@/components/Tip", () => import("@/components/RadixTip"));

const implants = { ...words, footer: withClaims(words.footer, true) };
const BRANDS = ["One", "Two", "Three", "Four", "Five", "Six"].map((name) => ({
  id: name,
  name,
  sample: true,
}));

function open() {
  render(<ImplantsMarquee id="premium-implants" words={implants} brands={BRANDS} />);
  return userEvent.setup();
}

it("lists its six brands once for those who listen", () => {
  open();
  const list = screen.getByRole("list", { name: implants.list });
  expect(within(list).getAllByRole("listitem")).toHaveLength(6);
  expect(screen.getAllByRole("list")).toHaveLength(1);
  expect(screen.getAllByText("Six")).toHaveLength(2);
});

it("pauses and goes on by its button, which says what it will do", async () => {
  const user = open();
  await user.click(screen.getByRole("button", { name: implants.pause }));
  expect(document.querySelector("[data-paused]")).not.toBeNull();
  await user.click(screen.getByRole("button", { name: implants.play }));
  expect(document.querySelector("[data-paused]")).toBeNull();
});
