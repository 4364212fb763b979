import { expect, it } from "vitest";
import { money, saving } from "./money";

it("money is written with its sign and thousands", () => {
  expect(money(1999, "GBP")).toBe("£1,999");
  expect(money(199, "EUR")).toBe("€199");
  expect(money(1234567, "EUR")).toBe("€1,234,567");
});

it("what is saved follows from the two prices, and a percentage never overstates it", () => {
  expect(saving(175, 250)).toEqual({ amount: 75, percent: 30 });
  expect(saving(4199, 4500)).toEqual({ amount: 301, percent: 6 });
});

it("nothing is saved where nothing was higher", () => {
  expect(saving(2999, undefined)).toBeNull();
  expect(saving(200, 200)).toBeNull();
});
