import { expect, it } from "vitest";
import { addSheet } from "./lateSheet";

it("adds its rules to the page's own", () => {
  addSheet(".late { color: teal; }");
  expect(document.adoptedStyleSheets.at(-1)?.cssRules[0]?.cssText).toContain(".late");
});
