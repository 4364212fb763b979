import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** WebKit lays a modal dialog that is a grid out as high as the window. */
describe("a dialog", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".css"),
  );
  const sheets = files.map((file) => [file, readFileSync(join("src", file), "utf8")] as const);
  const rules = sheets.flatMap(([file, css]) =>
    [...css.matchAll(/([^{}]*)\{([^{}]*)\}/g)].map(([, selector = "", body = ""]) => ({
      file,
      selector,
      body,
    })),
  );
  const ofDialogs = rules.filter(({ selector }) => /dialog(\[open\])?\s*$/.test(selector.trim()));

  it("is never a grid itself", () => {
    expect(ofDialogs.length).toBeGreaterThan(2);
    expect(ofDialogs.filter(({ body }) => /display:\s*(inline-)?grid/.test(body))).toEqual([]);
  });
});
