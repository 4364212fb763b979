import { expect, it } from "vitest";
import { tokensOf, withValues } from "./inlineTokens";

const TOKENS = ":root { --ink: #123; --gap: 4px; --wide: calc(var(--gap) * 2); --bar: 56px; --room: 0px; }";
const OTHERS = "@media print { html { --bar: 0px; } } p { margin: var(--room, 8px) var(--gap); }";

it("a token is its value, with the values of the tokens in it", () => {
  expect(Object.fromEntries(tokensOf(TOKENS, OTHERS))).toEqual({
    "--ink": "#123",
    "--gap": "4px",
    "--wide": "calc(4px * 2)",
  });
});

it("a token that another sheet sets, or names with a second choice, stays a variable", () => {
  const values = tokensOf(TOKENS, OTHERS);
  expect(withValues("var(--gap) var(--bar) var(--room, 8px)", values)).toBe(
    "4px var(--bar) var(--room, 8px)",
  );
});
