import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { words as results } from "#content/cases.yaml";
import { BeforeAfterGallery } from "./BeforeAfterGallery";

vi.mock("@/components/Tip", () => import("@/components/RadixTip"));

const picture = (base: string) => ({
  base,
  width: 900,
  height: 600,
  widths: [320, 600, 900] as const,
  colour: "#000",
});

function open({ illustration = true, sample = true } = {}) {
  const cases = ["Gaps", "Crowding"].map((treatment) => ({
    id: treatment,
    treatment,
    patientName: "Sample A",
    location: "Canada",
    rating: 5,
    illustration,
    sample,
    before: picture("/before"),
    after: picture("/after"),
  }));
  render(<BeforeAfterGallery id="before-after-gallery" words={results} cases={cases} />);
}

const slider = () => screen.getByRole("slider", { name: "Compare before and after: Gaps" });

it("compares each pair with a native slider, which the keyboard moves", () => {
  open();
  expect(screen.getAllByRole("slider")).toHaveLength(2);
  expect(slider()).toHaveAttribute("type", "range");
  fireEvent.change(slider(), { target: { value: "20" } });
  expect(slider().parentElement?.style.getPropertyValue("--at")).toBe("20%");
  expect(slider()).toHaveAttribute("aria-valuetext", "80% of the result shown");
});

it("stamps every illustration as one, and no photograph", () => {
  open();
  expect(screen.getAllByText("Illustration, not a patient")).toHaveLength(2);
});

it("leaves the stamp off a photograph", () => {
  open({ illustration: false });
  expect(screen.queryByText("Illustration, not a patient")).toBeNull();
});

it("says the rating in words, beside its stars", () => {
  open();
  expect(screen.getAllByRole("button", { name: "Rated 5 out of 5" })).toHaveLength(2);
});

it.each([
  [true, /^A sample rating/],
  [false, /^The patient's own rating/],
])("says where a rating comes from, and calls only a sample one (%s)", async (sample, words) => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  open({ sample });
  const [rating] = screen.getAllByRole("button", { name: "Rated 5 out of 5" });
  await act(async () => rating?.focus());
  expect(rating).toHaveAccessibleDescription(words);
});
