import { claims } from "#content/claims.yaml";
import { film, gallery } from "#content/gallery.yaml";
import { claimsAt } from "./claims";

export { film, gallery };

/** Words around the clinic's film and pictures; the pictures stand in content/gallery.yaml. */
export const showcase = {
  title: "The clinic, room by room",
  lead: "Scanner, treatment rooms and laboratory under one roof, so that crowns are made where you are treated.",
  video: {
    name: "Presentation of the clinic",
    caption: "How implant, abutment and crown come together. An illustration, without sound.",
    play: "Play video",
    soon: "Video coming soon",
  },
  gallery: "Pictures of the clinic",
  figures: "The clinic by numbers",
  enlarge: "Enlarge",
  loading: "Loading clinic image...",
  retry: "Try again",
  close: "Close",
  previousImage: "Previous picture",
  nextImage: "Next picture",
  imagePosition: "{number} of {count}",
} as const;

/** The clinic in figures: each claim's value, set large, and the words that go with it. */
export const clinicFigures = (samples: boolean) =>
  claimsAt("clinic", samples).map(({ id, words, sample }) => {
    const value = claims[id]?.value ?? "";
    return { id, value, words: words.replace(value, "").trim(), sample };
  });
