import { fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentProps } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { words as showcase } from "#content/gallery.yaml";
import { ClinicShowcase } from "./ClinicShowcase";

const CAPTIONS = ["Reception", "Treatment room", "Scanner", "Laboratory"];
const file = (name: string) => ({
  base: `/${name}`,
  width: 1200,
  height: 800,
  widths: [480, 800, 1200] as const,
  colour: "#fff",
});
const IMAGES = CAPTIONS.map((caption) => ({
  id: caption,
  caption,
  alt: `Alt of ${caption}`,
  file: file(caption),
}));

/** What the page asked of each observer, and the way to bring its element into view. */
const watched: { options: IntersectionObserverInit | undefined; show: () => void }[] = [];
class Observer {
  constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
    const entries = [{ isIntersecting: true }] as IntersectionObserverEntry[];
    watched.push({ options, show: () => callback(entries, this as unknown as IntersectionObserver) });
  }
  observe(): void {}
  disconnect(): void {}
}

function open(films: ComponentProps<typeof ClinicShowcase>["films"] = []) {
  render(
    <ClinicShowcase
      id="clinic-showcase"
      words={showcase}
      images={IMAGES}
      figures={[{ id: "dentists", value: "30+", words: "dentists", sample: false }]}
      films={films}
    />,
  );
  return userEvent.setup();
}

const gallery = () => screen.getByRole("list", { name: showcase.gallery });
const picture = (caption: string) => within(gallery()).queryByAltText(`Alt of ${caption}`);
const opener = (caption: string) => screen.getByRole("button", { name: `${showcase.enlarge}: ${caption}` });

beforeEach(() => {
  // jsdom knows the element, but not how to open it.
  HTMLDialogElement.prototype.showModal ??= () => {};
  HTMLDialogElement.prototype.close ??= () => {};
  vi.spyOn(HTMLDialogElement.prototype, "showModal").mockImplementation(function (this: HTMLDialogElement) {
    this.open = true;
  });
  vi.spyOn(HTMLDialogElement.prototype, "close").mockImplementation(function (this: HTMLDialogElement) {
    this.open = false;
    this.dispatchEvent(new Event("close"));
  });
});

describe("the film of the clinic", () => {
  it("says that it is an illustration where the rooms are drawn, and gives phones its upright cut", async () => {
    const phones = { type: "video/webm", media: "(max-width: 767px)" };
    const { title, lead, mark } = showcase.tour.illustrated;
    const sources = [
      { src: "/walk-upright.webm", ...phones },
      { src: "/walk.webm", type: "video/webm" },
    ];
    const walk = {
      ...{ id: "walk", title, lead, mark, muted: true },
      video: { kind: "file" as const, sources, captions: "/walk.vtt" },
      poster: file("walk"),
      upright: { ...file("walk-upright"), width: 720, height: 900 },
    };
    const user = open([walk]);
    expect(document.querySelector("video")).toBeNull();
    const play = screen.getByRole("button", { name: `${showcase.film.play}: ${title}` });
    expect(play).toHaveAccessibleDescription(mark);
    const [first] = document.querySelectorAll("figure picture source");
    expect(first).toHaveAttribute("media", phones.media);
    expect(first?.getAttribute("srcset")).toContain("/walk-upright-480.avif");
    await user.click(play);
    expect(screen.getByText(`${title}: ${lead}`)).toBeVisible();
    const film = screen.getByLabelText<HTMLVideoElement>(title, { selector: "video" });
    expect([...film.querySelectorAll("source")].map((source) => source.media)).toEqual([phones.media, ""]);
    expect(film.querySelector("track")).toHaveAttribute("src", "/walk.vtt");
    expect(film.muted).toBe(true);
  });
});

describe("the film of an implant", () => {
  it("has its controls below the picture, and says which stage is shown", async () => {
    const { title, lead, play, staged } = showcase.film;
    const video = { kind: "file" as const, sources: [{ src: "/film.webm", type: "video/webm" }] };
    const user = open([{ id: "film", title, lead, muted: true, video, poster: file("film"), staged }]);
    await user.click(screen.getByRole("button", { name: `${play}: ${title}` }));
    const film = screen.getByLabelText<HTMLVideoElement>(title, { selector: "video" });
    expect(film).not.toHaveAttribute("controls");
    Object.defineProperty(film, "duration", { value: 8 });
    fireEvent.play(film);
    fireEvent.change(screen.getByRole("slider", { name: staged.words.seek }), { target: { value: "2.5" } });
    expect(film.currentTime).toBe(2.5);
    fireEvent.timeUpdate(film);
    expect(screen.getByText("3 to 4 months")).toBeVisible();
    expect(screen.getByRole("button", { name: staged.words.play })).toBeVisible();
  });
});

describe("a gallery picture", () => {
  it("loads within 50 px of the view, a tenth of it, and not before", async () => {
    watched.length = 0;
    vi.stubGlobal("IntersectionObserver", Observer);
    open();
    expect(watched.map(({ options }) => options)).toEqual(Array(4).fill({ rootMargin: "50px", threshold: 0.1 }));
    expect(picture("Reception")).toBeNull();
    watched[0]?.show();
    expect(await within(gallery()).findByAltText("Alt of Reception")).toHaveAttribute("src", "/Reception-800.webp");
    expect(picture("Scanner")).toBeNull();
  });

  it("shows the words while it comes, and fades in when it is there", () => {
    open();
    expect(screen.getAllByText("Loading clinic image...")).toHaveLength(4);
    fireEvent.load(within(gallery()).getByAltText("Alt of Scanner"));
    expect(screen.getAllByText("Loading clinic image...")).toHaveLength(3);
    expect(picture("Scanner")?.closest("[data-state]")).toHaveAttribute("data-state", "loaded");
  });

  it("keeps the words when it fails, and can be tried again", async () => {
    const user = open();
    for (const caption of CAPTIONS) {
      fireEvent.load(within(gallery()).getByAltText(`Alt of ${caption}`));
    }
    const failing = within(gallery()).getByAltText("Alt of Scanner");
    fireEvent.error(failing);
    expect(screen.getByText("Loading clinic image...")).toBeVisible();
    expect(screen.queryByRole("button", { name: `${showcase.enlarge}: Scanner` })).toBeNull();
    await user.click(screen.getByRole("button", { name: showcase.retry }));
    expect(picture("Scanner")).not.toBe(failing);
    expect(picture("Scanner")).not.toBeNull();
  });
});

describe("the large dialog", () => {
  const dialog = () => screen.getByRole("dialog");
  const large = () => within(dialog()).getByRole("img");

  it("shows the picture that was pressed, and where it is among the others", async () => {
    const user = open();
    await user.click(opener("Scanner"));
    expect(dialog()).toHaveAccessibleName("Scanner 3 of 4");
    expect(large()).toHaveAttribute("src", "/Scanner-800.webp");
  });

  it("goes on with the arrow keys and with its buttons, around both ends", async () => {
    const user = open();
    await user.click(opener("Laboratory"));
    fireEvent.keyDown(dialog(), { key: "ArrowRight" });
    expect(large()).toHaveAttribute("src", "/Reception-800.webp");
    fireEvent.keyDown(dialog(), { key: "ArrowLeft" });
    expect(large()).toHaveAttribute("src", "/Laboratory-800.webp");
    await user.click(within(dialog()).getByRole("button", { name: showcase.nextImage }));
    await user.click(within(dialog()).getByRole("button", { name: showcase.previousImage }));
    expect(large()).toHaveAttribute("src", "/Laboratory-800.webp");
  });

  it("closes by its button and by a press beside it", async () => {
    const user = open();
    await user.click(opener("Reception"));
    const button = (name: string) => within(dialog()).getByRole("button", { name });
    button(showcase.nextImage).focus();
    await user.tab();
    expect(button(showcase.close)).toHaveFocus();
    await user.tab({ shift: true });
    expect(button(showcase.nextImage)).toHaveFocus();
    await user.click(within(dialog()).getByRole("button", { name: showcase.close }));
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.click(opener("Reception"));
    await user.click(dialog());
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
