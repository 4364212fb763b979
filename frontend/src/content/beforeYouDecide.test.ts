import { expect, it } from "vitest";
import { briefTopic, topicSection } from "./beforeYouDecide";

const TOPIC = {
  id: "fixture",
  title: "Does it last?",
  brief: true,
  answer: "Mostly. You get a {claim:warranty}.",
  of: [{ treatments: ["zirconia-crowns"], label: "Crowns", text: "Crowns chip." }],
  items: [{ label: "Proof", text: "{claim:costs}" }],
  days: [{ label: "Day 1", text: "You arrive." }],
  text: ["Ask your own dentist."],
  clinic: { flight: null, deposit: "A tenth. {claim:costs}" },
  sources: [],
};

it("a treatment's page has the answer, or what is different for that treatment", () => {
  const texts = (treatment: string, samples: boolean) => briefTopic(TOPIC, treatment, "Us:", samples).texts;
  expect(texts("all-on-4", false)).toEqual(["Mostly.", "Us: A tenth."]);
  expect(texts("all-on-4", true)[0]).toBe("Mostly. You get a 15 year warranty.");
  expect(texts("zirconia-crowns", false)).toEqual(["Crowns chip.", "Us: A tenth."]);
});

it("what the clinic has not filled in is nowhere, nor what nobody has proven", () => {
  const nothing = { ...TOPIC, clinic: { flight: null, deposit: null } };
  expect(briefTopic(nothing, "all-on-4", "Us:", false).texts).toEqual(["Mostly."]);
  expect(topicSection(nothing, "Us:", false)).toEqual({
    id: "fixture",
    answer: "Mostly.",
    points: [{ treatments: ["zirconia-crowns"], label: "Crowns", text: "Crowns chip." }],
    days: [{ label: "Day 1", text: "You arrive." }],
    texts: ["Ask your own dentist."],
    sample: true,
  });
  expect(topicSection(TOPIC, "Us:", false).texts).toEqual(["Ask your own dentist.", "Us: A tenth."]);
});
