import { getCountries, getCountryCallingCode } from "libphonenumber-js/core";
import metadata from "libphonenumber-js/metadata.max.json";
import { describe, expect, it } from "vitest";
import { countryByRegion, otherCountries, priorityCountries, searchCountries } from "./countries";
import { flagUrl } from "./flags";

const all = [...priorityCountries, ...otherCountries];

describe("the country list", () => {
  it("begins with the priority entries in their order", () => {
    expect(priorityCountries.map(({ id, name }) => `${id} ${name}`)).toEqual([
      "+44 UK",
      "+1 USA",
      "+61 AUS",
      "+1-ca CAN",
      "+64 NZ",
    ]);
  });

  it("goes on with every other country by name", () => {
    const names = otherCountries.map(({ name }) => name);
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, "en")));
    expect(all.length).toBe(getCountries(metadata).length);
  });

  it("gives every option an id of its own", () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const ids = ["RU", "KZ", "GG", "VA", "CA", "US"].map((iso) => countryByRegion(iso)?.id);
    expect(ids).toEqual(["+7", "+7-kz", "+44-gg", "+39-va", "+1-ca", "+1"]);
  });

  it("agrees with the phone library on every calling code", () => {
    for (const { iso, dialCode } of all) {
      expect(dialCode).toBe(`+${getCountryCallingCode(iso as "GB", metadata)}`);
    }
  });

  it("has a flag for every entry", () => {
    expect(all.filter(({ iso }) => !flagUrl(iso))).toEqual([]);
  });

  it.each([
    ["united k", "GB"],
    ["+7", "RU"],
    ["turk", "TR"],
    ["cote d", "CI"],
    ["de", "DE"],
  ])("finds %j", (typed, iso) => {
    expect(searchCountries(all, typed).map((country) => country.iso)).toContain(iso);
  });

  it("finds nothing for nonsense", () => {
    expect(searchCountries(all, "qqq")).toEqual([]);
  });
});
