import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentProps } from "react";
import { MemoryRouter } from "react-router-dom";
import { describe, expect, it, vi } from "vitest";
import { ctas } from "#content/site.yaml";
import { words as treatmentWords } from "#content/treatments.yaml";
import { treatmentCards } from "@/content/sections";
import { treatmentPicture } from "@/lib/pictures";
import { Treatments } from "./Treatments";

const pageOf = (id: string) => `/treatments/${id}`;

function open(list: string, samples = true, changed: Partial<ComponentProps<typeof Treatments>> = {}) {
  const shown = { ...treatmentCards(list, samples), ...changed };
  render(
    <MemoryRouter>
      <Treatments words={{ ...treatmentWords, ask: ctas.form }} picture={treatmentPicture} pageOf={pageOf} {...shown} />
    </MemoryRouter>,
  );
}

const cards = () => screen.getAllByRole("heading", { level: 3 }).map((title) => title.closest("li") as HTMLElement);
const card = (title: string) => screen.getByRole("heading", { level: 3, name: title }).closest("li") as HTMLElement;

const summaryOf = (title: string) => card(title).querySelector("summary") as HTMLElement;

describe.each([
  {
    list: "home" as const,
    rows: [
      ["Dental implants", "Price £175 per unit", "Before £250 You save £75", "30% off"],
      ["Zirconia crowns", "Price £160 per unit", "Before £200 You save £40", "20% off"],
      ["Zygomatic implants", "Price £1,999 per unit", "Before £2,500 You save £501", "20% off"],
      ["All-on-4", "Price £2,999 per jaw", "Before £3,300 You save £301", "9% off"],
      ["All-on-6", "Price £3,599 per jaw", "Before £4,000 You save £401", "10% off"],
      ["Full mouth implants", "Price £4,199", "Before £4,500 You save £301", "6% off"],
    ],
  },
  {
    list: "landing" as const,
    rows: [
      ["Dental implants", "Price €199 per unit", "Before €299 You save €100", "33% off"],
      ["Zirconia crowns", "Price €180 per unit", "Before €220 You save €40", "18% off"],
      ["Zygomatic implants", "Price €2,250 per unit", "Before €2,750 You save €500", "18% off"],
      ["All-on-4", "Price €2,999 per jaw", null, undefined],
      ["All-on-6", "Price €4,999 per jaw", null, undefined],
      ["Full mouth implants", "Price €4,799", "Before €6,000 You save €1,201", "20% off"],
    ],
  },
])("the cards of the $list list", ({ list, rows }) => {
  it("begin with these six, in their order, each with its own prices, unit and badge", () => {
    open(list);
    const shown = cards().map((element) => [
      within(element).getByRole("heading", { level: 3 }).textContent,
      element.querySelector("strong")?.parentElement?.textContent,
      element.querySelector("s")?.parentElement?.textContent ?? null,
      element.querySelector("picture + p")?.textContent,
    ]);
    expect(shown.slice(0, rows.length)).toEqual(rows);
  });
});

describe("a card's details", () => {
  it.each([
    ["Dental implants", "3-4 months", "2 visits"],
    ["Full mouth implants", "3-4 months", "2 visits"],
  ])("of %s are closed, and open and close without a script", async (title, duration, visits) => {
    const user = userEvent.setup();
    open("home");
    const within_ = within(card(title));
    expect(within_.queryByText("Duration")).not.toBeVisible();
    const toggle = summaryOf(title);
    expect(toggle).toHaveAccessibleName(expect.stringMatching(`^Details.* ${title}$`));
    await user.click(toggle);
    expect(within_.getByText(duration)).toBeVisible();
    expect(within_.getByText(visits)).toBeVisible();
    expect(within_.getByText("15 year warranty")).toBeVisible();
    for (const part of ["What happens", "Why people choose it", "Included", "Not included"]) {
      expect(within_.getByRole("heading", { name: part })).toBeVisible();
    }
    await user.click(toggle);
    expect(within_.queryByText(duration)).not.toBeVisible();
  });

  it.each([
    ["side by side", true, ["All-on-6"]],
    ["in a list", false, ["All-on-4", "All-on-6"]],
  ])("of cards %s: those of a second card", async (_, wide, left) => {
    vi.stubGlobal("matchMedia", () => ({ matches: wide }));
    const user = userEvent.setup();
    open("home");
    await user.click(summaryOf("All-on-4"));
    await user.click(summaryOf("All-on-6"));
    const isOpen = (element: HTMLElement) => element.querySelector("details")?.open;
    const titleOf = (element: HTMLElement) => element.querySelector("h3")?.textContent;
    await waitFor(() => expect(cards().filter(isOpen).map(titleOf)).toEqual(left));
  });
});

describe("what a price buys", () => {
  const said = (title: string) => card(title).querySelector("strong")?.closest("div")?.lastChild?.textContent;

  it("is no sum while a part that nobody can do without has no price", () => {
    open("home");
    expect(said("Dental implants")).toBe("The implant on its own; a whole tooth also needs an abutment and a crown");
    expect(said("Zygomatic implants")).not.toMatch(/£|€/);
  });
});

it("prices struck through name their last day where it is known", () => {
  open("home", true, { wasUntil: "2026-10-31" });
  expect(screen.getByText("Crossed-out prices applied until 31 October 2026.")).toBeVisible();
});
