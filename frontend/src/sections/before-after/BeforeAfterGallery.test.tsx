import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { words as results } from "#content/cases.yaml";
import { BeforeAfterGallery } from "./BeforeAfterGallery";

const picture = (base: string) => ({
  base,
  width: 900,
  height: 600,
  widths: [320, 600, 900] as const,
  colour: "#000",
});

const PATIENT = { name: "Fixture Person", location: "Canada", rating: 5 };

function open(patient: typeof PATIENT | null = null) {
  const cases = ["Gaps", "Crowding"].map((treatment) => ({
    id: treatment,
    treatment,
    story: `${treatment} before, and what was done.`,
    patient,
    sample: patient === null,
    before: picture("/before"),
    after: picture("/after"),
    start: 70,
  }));
  render(<BeforeAfterGallery id="before-after-gallery" words={results} cases={cases} smile={picture("/smile")} />);
}

const slider = () => screen.getByRole("slider", { name: "Compare before and after: Gaps" });
const line = () => slider().parentElement?.style.getPropertyValue("--at");

/** What the line of the pictures does: the motions of both sliders. */
function watchMotion() {
  const motion = { pause: vi.fn(), play: vi.fn(), cancel: vi.fn() };
  const animate = vi.spyOn(Element.prototype, "animate").mockReturnValue(motion as unknown as Animation);
  return { animate, motion };
}

it("begins where the case says, for the eye, the keyboard and the ear", () => {
  open();
  expect(line()).toBe("70%");
  expect(slider()).toHaveValue("70");
  expect(slider()).toHaveAttribute("aria-valuetext", "30% of the result shown");
});

it("moves the line to its start once the pictures are seen, and lets go when it is taken", () => {
  let seen = () => {};
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(report: (entries: object[]) => void) {
        seen = () => report([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  const { animate, motion } = watchMotion();
  open();
  expect(animate.mock.calls).toHaveLength(2);
  expect(animate.mock.calls[0]?.[0]).toEqual({ "--at": ["85%", "70%"] });
  expect(motion.pause).toHaveBeenCalledTimes(2);
  expect(motion.play).not.toHaveBeenCalled();
  seen();
  expect(motion.play).toHaveBeenCalledTimes(1);
  fireEvent.change(slider(), { target: { value: "20" } });
  expect(motion.cancel).toHaveBeenCalledTimes(1);
  expect(line()).toBe("20%");
});

it("moves nothing for whoever wants no motion", () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  const { animate } = watchMotion();
  open();
  expect(animate).not.toHaveBeenCalled();
  expect(line()).toBe("70%");
});

it("says what a case began with, and has no stars, name or country of a patient who agreed to nothing", () => {
  open();
  const [card] = screen.getAllByRole("article");
  expect(card).toHaveTextContent("Gaps before, and what was done.");
  expect(screen.getAllByText("Illustration, not a patient")).toHaveLength(2);
  expect(card?.querySelector("p svg")).toBeNull();
  expect(card).not.toHaveTextContent(/Rated|Fixture|Canada/);
});

it("shows a patient who agreed, with a rating in words beside its stars, and leaves the stamp off", () => {
  open(PATIENT);
  const [card] = screen.getAllByRole("article");
  expect(card).toHaveTextContent("Rated 5 out of 5 Fixture Person, Canada");
  expect(card?.querySelectorAll("p svg")).toHaveLength(5);
  expect(screen.queryByText("Illustration, not a patient")).toBeNull();
});
