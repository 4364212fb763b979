import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("styles change at four widths, and the tokens alone name colours", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".css"));
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) {
    const rules = readFileSync(`src/${file}`, "utf8").replace(/\/\*.*?\*\//gs, "");
    const widths = [...rules.matchAll(/@media[^{]*/g)].flatMap(([media]) => media.match(/(?<=width: )\w+/g) ?? []);
    const known = ["359px", "479px", "480px", "767px", "768px", "999px", "1000px"];
    expect(
      widths.filter((width) => !known.includes(width)),
      file,
    ).toEqual([]);
    expect(file.endsWith("tokens.css") ? [] : (rules.match(/#[\da-f]{3,8}\b|rgb\(/g) ?? []), file).toEqual([]);
  }
});
