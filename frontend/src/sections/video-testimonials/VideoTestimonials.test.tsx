import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { words } from "#content/testimonials.yaml";
import type { VideoSource } from "@/lib/videos";
import { VideoTestimonials } from "./VideoTestimonials";

const NAMES = ["First Patient", "Second Patient", "Third Patient"];
const FILM: VideoSource = { kind: "file", sources: [{ src: "/film.webm", type: "video/webm" }] };

const POSTER = {
  base: "/poster",
  width: 1280,
  height: 720,
  widths: [640, 960, 1280] as const,
  colour: "#fff",
};

function open(video: VideoSource | null = null) {
  const testimonials = NAMES.map((name) => ({
    id: name,
    name,
    initials: name.slice(0, 1),
    review: `Review of ${name}`,
    poster: name === "Third Patient" ? POSTER : null,
    video,
    sample: true,
  }));
  render(<VideoTestimonials id="video-testimonials" words={words} testimonials={testimonials} />);
  return userEvent.setup();
}

const carousel = () => screen.getByRole("group", { name: words.carousel });
const button = (name: string) => within(carousel()).getByRole("button", { name });
const dot = (name: string) => button(`${words.show}: ${name}`);
const current = () => NAMES.filter((name) => dot(name).getAttribute("aria-current") === "true");

describe("the carousel", () => {
  it("says what it is, and has its buttons before its slides", () => {
    open();
    expect(carousel()).toHaveAttribute("aria-roledescription", "carousel");
    const slides = within(carousel()).getByRole("list");
    expect(within(slides).getAllByRole("listitem")).toHaveLength(3);
    expect(button(words.next).compareDocumentPosition(slides)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(current()).toEqual([NAMES[0]]);
  });

  it("wraps from the last to the first", async () => {
    const user = open();
    const seen = [];
    for (const _ of NAMES) {
      await user.click(button(words.next));
      seen.push(...current());
    }
    expect(seen).toEqual([NAMES[1], NAMES[2], NAMES[0]]);
  });

  it("jumps by its dots, from the keyboard too", async () => {
    const user = open();
    await user.click(dot("Third Patient"));
    expect(current()).toEqual(["Third Patient"]);
    dot("Second Patient").focus();
    await user.keyboard("{Enter}");
    expect(current()).toEqual(["Second Patient"]);
  });

  it("announces a change politely, and nothing on arrival", async () => {
    const user = open();
    const status = carousel().querySelector('[aria-live="polite"]');
    expect(status).toHaveTextContent("");
    await user.click(button(words.next));
    expect(status).toHaveTextContent("2 of 3: Second Patient");
  });
});

describe("a testimonial's video", () => {
  it("is asked for by a click and not before, and takes the focus", async () => {
    const user = open(FILM);
    expect(document.querySelector("video")).toBeNull();
    await user.click(screen.getByRole("button", { name: `${words.play}: Second Patient` }));
    const film = screen.getByLabelText("Second Patient");
    expect(film.querySelector("source")).toHaveAttribute("src", "/film.webm");
    expect(film).toHaveAttribute("controls");
    expect(document.querySelectorAll("video")).toHaveLength(1);
  });

  it("of a video service comes in a sandboxed frame that is told the site and not the page, and is named before", async () => {
    const user = open({ kind: "service", embedUrl: "https://video.example/embed/1" });
    expect(document.querySelector("iframe")).toBeNull();
    const play = screen.getByRole("button", { name: `${words.play}: First Patient` });
    expect(play).toHaveAccessibleDescription("From video.example");
    await user.click(screen.getByRole("button", { name: `${words.play}: First Patient` }));
    const frame = screen.getByTitle("First Patient");
    expect(frame).toHaveAttribute("sandbox");
    expect(frame).toHaveAttribute("referrerpolicy", "strict-origin");
  });
});
