import { brands } from "#content/brands.yaml";

export { brands };

/** Words of the strip of implant brands; their names stand in content/brands.yaml. */
export const implants = {
  title: "Our Choice of Premium Implants",
  lead: "Systems with long records, so that a dentist near you can look after them too.",
  list: "Implant brands",
  pause: "Pause the moving strip",
  play: "Let the strip move",
  note: "A made-up name that shows where a brand goes",
  footer:
    "Every system carries international certifications, and its maker's lifetime warranty on the implant.",
} as const;
