import { testimonials } from "#content/testimonials.yaml";

export { testimonials };

/** Words around the testimonials; what patients say stands in content/testimonials.yaml. */
export const voices = {
  title: "In their own words",
  lead: "Three patients on their treatment, from the first message to the flight home.",
  carousel: "Patient videos",
  previous: "Previous video",
  next: "Next video",
  show: "Show",
  position: "{number} of {count}: {name}",
  play: "Play video",
  soon: "Video coming soon",
  from: "From {host}",
} as const;
