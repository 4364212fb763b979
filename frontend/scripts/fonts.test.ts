import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { LETTERS } from "./fonts.mjs";

it("the fonts are what their packages, the letters and the weights make", () => {
  expect(spawnSync("node", ["scripts/fonts.mjs", "--check"]).status).toBe(0);
}, 60_000);

it("the letters are those of German, French, Italian, Spanish and, as far as the packages go, Turkish", () => {
  for (const letter of "äöüßÄÖÜéèêëàâçîïôûùœŒæÿŸñÑìòáíóúåøıÇÖÜ€£“”‘’–—…") {
    expect(LETTERS).toContain(letter);
  }
});
