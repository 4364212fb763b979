import { expect, it } from "vitest";
import { sentencesOf } from "./claimedText";

const CLAIMS = {
  long: { words: "a {value} year warranty", value: "15" },
  whole: { words: "It is safe. We know.", value: null },
};

it.each([
  ["We care. Ours is approx. {claim:long} for each crown. Ask us.", ["We care.", "Ask us."]],
  ["Dr. Kaya gives {claim:long}. Ask us.", ["Ask us."]],
  ["We promise much (e.g. {claim:long}). Ask us!", ["Ask us!"]],
  [
    "It costs approx. 5 pounds, says Dr. Kaya. {claim:whole} Ask us.",
    ["It costs approx. 5 pounds, says Dr. Kaya.", "Ask us."],
  ],
  ["Written by J. Kaya and Co. for you: {claim:long}.", []],
])("what may not stand takes its whole sentence along, and no other: %s", (text, kept) => {
  expect(sentencesOf(text, CLAIMS, () => false)).toEqual(kept);
});

it("what may stand is said in full", () => {
  const said = sentencesOf("Dr. Kaya gives {claim:long}. {claim:whole}", CLAIMS, () => true);
  expect(said).toEqual(["Dr. Kaya gives a 15 year warranty.", "It is safe.", "We know."]);
});
