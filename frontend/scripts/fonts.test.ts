import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PARTS } from "./fonts.mjs";

/** Of each file in the order of the style sheet: its name, and whether it is fetched for a letter. */
function facesOf(sheet: string): [file: string, has: (letter: number) => boolean][] {
  const faces = sheet.matchAll(/fonts\/([\w-]+)\.woff2[^}]*unicode-range:([^;]+);/g);
  return [...faces].map(([, file = "", list = ""]) => {
    const ranges = [...list.matchAll(/U\+(\w+)(?:-(\w+))?/g)].map(([, from = "", to = from]) => [from, to]);
    const has = (letter: number) =>
      ranges.some(([from = "", to = ""]) => letter >= parseInt(from, 16) && letter <= parseInt(to, 16));
    return [file, has];
  });
}

it("the fonts are what their packages, the letters and the weights make", () => {
  expect(spawnSync("node", ["scripts/fonts.mjs", "--check"]).status).toBe(0);
}, 60_000);

it("the letters are those of German, French, Italian, Spanish and, as far as the packages go, Turkish", () => {
  const letters = String.fromCodePoint(...PARTS.latin, ...PARTS.more);
  for (const letter of "äöüßÄÖÜéèêëàâçîïôûùœŒæÿŸñÑìòáíóúåøıÇÖÜ€£“”‘’–—…") {
    expect(letters).toContain(letter);
  }
});

it.each(["lora", "source-sans-3"])("%s is fetched for a letter in the file that has it", (face) => {
  const faces = facesOf(readFileSync("src/styles/fonts.css", "utf8")).filter(([file]) => file.startsWith(face));
  for (const [part, letters] of Object.entries(PARTS)) {
    for (const letter of letters) {
      // Of several faces of a family that list a letter, the last is taken.
      expect([letter, faces.findLast(([, has]) => has(letter))?.[0]]).toEqual([letter, `${face}-${part}`]);
    }
  }
});
