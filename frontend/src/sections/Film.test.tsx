import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { words as showcase } from "#content/gallery.yaml";
import { filmPoster } from "@/lib/pictures";
import { Film } from "./Film";

it("loads the film when it is pressed, without sound and with controls", async () => {
  const user = userEvent.setup();
  render(
    <Film
      id="how-an-implant-works"
      words={showcase.film}
      poster={filmPoster("presentation")}
      video={{ kind: "file", sources: [{ src: "/film.webm", type: "video/webm" }] }}
    />,
  );
  expect(document.querySelector("video")).toBeNull();
  await user.click(screen.getByRole("button", { name: `${showcase.film.play}: ${showcase.film.title}` }));
  const film = screen.getByLabelText<HTMLVideoElement>(showcase.film.title, { selector: "video" });
  expect(film.muted).toBe(true);
  expect(film.controls).toBe(true);
});
