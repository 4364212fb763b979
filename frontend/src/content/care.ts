import { steps } from "#content/journey.yaml";
import { reasons } from "#content/reasons.yaml";

export const reasonsWords = {
  heading: { overline: "Why choose us", title: "Six things you can hold us to" },
  reasons,
};

export const journeyWords = {
  heading: {
    overline: "Your journey",
    title: "Four steps, and you know each one before it starts",
  },
  who: "Who",
  steps,
};
