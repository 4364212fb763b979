import { expect, it, vi } from "vitest";
import { randomCode, randomId } from "./ids";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it("random ids are UUIDs, also where crypto.randomUUID does not exist", () => {
  expect(randomId()).toMatch(UUID);
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  expect(randomId()).toMatch(UUID);
});

it("random codes are of capital letters and digits that differ", () => {
  const codes = new Set(Array.from({ length: 200 }, () => randomCode(5)));
  expect([...codes].every((code) => /^[A-Z0-9]{5}$/.test(code))).toBe(true);
  expect(codes.size).toBeGreaterThan(190);
});
