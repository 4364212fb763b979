import { expect, it } from "vitest";
import { withClaims } from "./namedClaims";

it.each([
  ["{claim:warranty}", "15 year warranty", ""],
  ["It is calm. {claim:costs}", "It is calm. Wages, rent and lab work cost less in Istanbul.", "It is calm."],
  ["{claim:costs} It is calm.", "Wages, rent and lab work cost less in Istanbul. It is calm.", "It is calm."],
  [
    "Yes! You get a {claim:warranty} in writing. It is calm.",
    "Yes! You get a 15 year warranty in writing. It is calm.",
    "Yes! It is calm.",
  ],
  ["Rated 4.5 by nobody.", "Rated 4.5 by nobody.", "Rated 4.5 by nobody."],
])("%s: a sentence is left out with its claim", (text, withSamples, without) => {
  expect(withClaims(text, true)).toBe(withSamples);
  expect(withClaims(text, false)).toBe(without);
});
