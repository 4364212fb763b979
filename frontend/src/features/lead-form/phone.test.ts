import { describe, expect, it } from "vitest";
import { phoneProblem, regionOfOtherCode } from "./phone";

const FOR_COUNTRY = "Please enter a valid phone number for the selected country";

describe("checking a phone number", () => {
  it.each([
    ["", "Please enter your phone number"],
    ["123", "Please enter a valid phone number"],
    ["1-2-3", "Phone number too short"],
    ["+44 123", "Phone number too short"],
    ["123456", FOR_COUNTRY],
  ])("finds what is wrong with %j first", (typed, message) => {
    expect(phoneProblem(typed, "+44")).toBe(message);
  });

  it.each([
    ["07911 123456", "+44"],
    ["+44 (0)7911 123456", "+44"],
    ["0044 7911 123456", "+44"],
    ["44 7911 123456", "+44"],
    ["020 7183 8750", "+44"],
    ["416 555 0134", "+1"],
    ["7011234567", "+7"],
    ["8 701 123 45 67", "+7"],
    ["+7 701 123 45 67", "+7"],
    ["06 1234 5678", "+39"],
    ["0532 123 45 67", "+90"],
  ])("takes %s for %s", (typed, code) => {
    expect(phoneProblem(typed, code)).toBeNull();
  });

  it.each([
    ["07700 900123", "+44"],
    ["+90 532 123 45 67", "+44"],
    ["0532 123 45 67", "+44"],
    ["555 0134 99", "+1"],
    ["9".repeat(60), "+44"],
  ])("refuses %s for %s", (typed, code) => {
    expect(phoneProblem(typed, code)).toBe(FOR_COUNTRY);
  });
});

describe("a number of another country", () => {
  it.each([
    ["+90 532 123 45 67"],
    ["\u202a+90 532 123 45 67\u202c"],
    ["\uff0b\uff19\uff10 532 123 45 67"],
    ["\u200e(+90) 532 123 45 67"],
    ["00 90 532 123 45 67"],
  ])("is known as such, written %j", (typed) => {
    expect(regionOfOtherCode(typed, "+44")).toBe("TR");
    expect(regionOfOtherCode(typed, "+90")).toBeNull();
  });
});
