import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { offerWords } from "@/content/sections";
import { DEFAULT_SETTINGS } from "@/lib/pageSettings";
import { SettingsContext } from "@/lib/settings";
import { Offers } from "./Offers";

const offer = (id: string, title: string, starts: string, ends: string, sample: boolean) => {
  return { id, title, text: "T", terms: "C", starts, ends, sample };
};
const words = {
  ...offerWords("special-offers", true),
  offers: [
    offer("a", "Spring", "2026-03-01", "2026-05-31", false),
    offer("b", "Summer", "2026-06-01", "2026-08-31", true),
  ],
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function openOn(day: string) {
  vi.setSystemTime(new Date(`${day}T09:00:00Z`));
  render(<Offers id="special-offers" words={words} />);
  act(() => vi.runAllTimers());
}

const titles = () => screen.queryAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);

describe("offers", () => {
  it.each([
    ["2026-02-28", []],
    ["2026-03-01", ["Spring"]],
    ["2026-05-31", ["Spring"]],
    ["2026-06-01", ["Summer"]],
    ["2026-09-01", []],
  ])("on %s are %j", (day, shown) => {
    openOn(day);
    expect(titles()).toEqual(shown);
  });

  it("say their last day, and count the days only towards the end", () => {
    openOn("2026-05-01");
    expect(screen.getByText("Until 31 May 2026")).toBeVisible();
    expect(screen.queryByText(/days? left/)).toBeNull();
  });

  it.each([
    ["2026-05-28", "3 days left"],
    ["2026-05-30", "1 day left"],
    ["2026-05-31", "Last day today"],
  ])("on %s say: %s", (day, left) => {
    openOn(day);
    expect(screen.getByText(left)).toBeVisible();
  });

  it("leave a bare anchor when none runs: no band, no heading", () => {
    openOn("2026-09-01");
    expect(document.getElementById("special-offers")).toBeEmptyDOMElement();
    expect(screen.queryByRole("heading")).toBeNull();
  });

  it("have one Sample tag for the group", () => {
    vi.setSystemTime(new Date("2026-07-01T09:00:00Z"));
    const samples = words.offers.map((one) => ({ ...one, ends: "2026-12-31", sample: true }));
    render(
      <SettingsContext value={{ ...DEFAULT_SETTINGS, showSamples: true }}>
        <Offers id="special-offers" words={{ ...words, offers: samples }} />
      </SettingsContext>,
    );
    act(() => vi.runAllTimers());
    expect(titles()).toHaveLength(2);
    expect(screen.getAllByText("Sample")).toHaveLength(1);
  });
});
