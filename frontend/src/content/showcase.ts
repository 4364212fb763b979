import { film, gallery } from "#content/gallery.yaml";

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
  enlarge: "Enlarge",
  loading: "Loading clinic image...",
  retry: "Try again",
  close: "Close",
  previousImage: "Previous picture",
  nextImage: "Next picture",
  imagePosition: "{number} of {count}",
} as const;
