import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { leadForm } from "@/content/leadForm";
import { CountryList } from "./CountryList";

const list = (onChoose = vi.fn()) => (
  <CountryList
    words={leadForm.country}
    selected="+44"
    typed=""
    opener={{ current: null }}
    onChoose={onChoose}
    onClose={() => {}}
  />
);

function open() {
  const onChoose = vi.fn();
  const { container } = render(list(onChoose));
  const groups = () => [...within(container).getByRole("listbox").children].map((group) => group.children.length);
  return { onChoose, groups, search: screen.getByRole("combobox") };
}

it("chooses the country whose name was typed, and not one that only has the word in it", async () => {
  const { onChoose, search } = open();
  await userEvent.type(search, "Ireland{Enter}");
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ iso: "IE" }));
});

it("keeps the first countries apart until something is searched", async () => {
  const { groups, search } = open();
  expect(groups()[0]).toBe(5);
  await userEvent.type(search, "ireland");
  expect(groups()).toEqual([0, 2]);
});

it("opens with its search, and has all countries then", () => {
  const first = document.createElement("div");
  first.innerHTML = renderToString(list());
  expect(within(first).queryAllByRole("option")).toHaveLength(0);
  open();
  expect(screen.getAllByRole("option").length).toBeGreaterThan(200);
});
