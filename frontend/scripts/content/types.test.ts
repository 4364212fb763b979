import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { contentTypes } from "./types.ts";

it("the types of the content are those of its schema: npm run content-types", () => {
  expect(readFileSync("src/content/files.d.ts", "utf8")).toBe(contentTypes());
});
