import { describe, expect, it } from "vitest";
import { embedOrigins, UPRIGHT, videoInBothShapes, videoSource } from "./videos";

const EMBED = "https://video.example/embed/1";

describe("a film that content names", () => {
  it("is a file of ours in each of its formats", () => {
    const film = videoSource("presentation");
    expect(film).toMatchObject({
      kind: "file",
      sources: [{ type: "video/webm" }, { type: "video/mp4" }],
    });
  });

  it("comes upright first for phones, where it has that cut", () => {
    expect(videoInBothShapes("walk")).toMatchObject({
      sources: [
        { type: "video/webm", media: UPRIGHT },
        { type: "video/mp4", media: UPRIGHT },
        { type: "video/webm" },
        { type: "video/mp4" },
      ],
    });
    expect(videoInBothShapes("presentation")).toEqual(videoSource("presentation"));
  });

  it("is still to come without a name, and stops the build where it is not there", () => {
    expect(videoSource(null)).toBeNull();
    expect(() => videoSource("nothing")).toThrow('There is no film "nothing"');
  });

  it("lets in each video service once, and none for our own files", () => {
    expect(embedOrigins([EMBED, null, "presentation", `${EMBED}2`])).toEqual(["https://video.example"]);
  });
});
