import { cases } from "#content/cases.yaml";

export { cases };

/** Words around the before and after pictures; the cases stand in content/cases.yaml. */
export const results = {
  title: "Before and after",
  lead: "Six common starting points and what treatment aims for. Drag the line, or use the arrow keys.",
  before: "Before",
  after: "After",
  compare: "Compare before and after: {name}",
  share: "{share}% of the result shown",
  stamp: "Illustration, not a patient",
  rating: "Rated {rating} out of 5",
  ratingSource: {
    sample: "A sample rating. Ratings of patients stand here once they have agreed to be quoted.",
    real: "The patient's own rating, shown with their written consent.",
  },
} as const;
