import { existsSync } from "node:fs";
import { getCountries, getCountryCallingCode } from "libphonenumber-js/core";
import metadata from "libphonenumber-js/metadata.min.json";
import { describe, expect, it, vi } from "vitest";
import {
  countryByRegion,
  everyCountry,
  flagUrl,
  guessCountry,
  otherCountries,
  priorityCountries,
  searchCountries,
} from "./countries";

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

  it("has for each entry an id of its own, the library's calling code, and a flag", () => {
    const wrong = all.filter(({ id, iso, dialCode }) => {
      const code = `+${getCountryCallingCode(iso as "GB", metadata)}`;
      return (
        dialCode !== code ||
        !id.startsWith(code) ||
        !existsSync(flagUrl(iso).replace("/@fs", "")) ||
        all.find((one) => one.id === id)?.iso !== iso
      );
    });
    expect(wrong).toEqual([]);
    const ids = ["RU", "KZ", "GG", "VA", "CA", "US"].map((iso) => countryByRegion(iso)?.id);
    expect(ids).toEqual(["+7", "+7-kz", "+44-gg", "+39-va", "+1-ca", "+1"]);
  });

  it.each([
    ["united k", "GB"],
    ["northern ir", "GB"],
    ["+90", "TR"],
    ["turk", "TR"],
    ["cote d", "CI"],
    ["deutsch", "DE"],
    ["türkiye", "TR"],
    ["espana", "ES"],
    ["Росс", "RU"],
    ["中国", "CN"],
    ["austr", "AU"],
    ["irel", "IE"],
  ])("finds for %j first %s", (typed, iso) => {
    expect(searchCountries(everyCountry, typed)[0]?.iso).toBe(iso);
  });

  it("finds every country first when its name is typed whole", () => {
    const missed = all.filter(({ name, id }) => searchCountries(everyCountry, name)[0]?.id !== id);
    expect(missed).toEqual([]);
  });

  it("finds countries by what the visitor's own language calls them", async () => {
    vi.spyOn(navigator, "language", "get").mockReturnValue("de");
    vi.resetModules();
    const fresh = await import("./countries");
    expect(fresh.searchCountries(fresh.otherCountries, "Frankr").map(({ iso }) => iso)).toEqual(["FR"]);
  });
});

function geo(answer: () => Promise<Response>) {
  const fetching = vi.fn<typeof fetch>(answer);
  vi.stubGlobal("fetch", fetching);
  return fetching;
}

describe("guessing the country", () => {
  it("takes the address's country first", async () => {
    geo(async () => Response.json({ country_code: "KZ" }));
    expect((await guessCountry(["en-AU"])).id).toBe("+7-kz");
  });

  it.each([
    ["no country", async () => Response.json({ country_code: null })],
    ["an unknown country", async () => Response.json({ country_code: "QQ" })],
    ["a failure", async () => new Response("", { status: 500 })],
    ["no JSON", async () => new Response("<html>")],
    ["no network", () => Promise.reject(new TypeError("offline"))],
  ])("falls back to the browser's region on %s", async (_, answer) => {
    geo(answer);
    expect((await guessCountry(["en", "zh-Hant-AU"])).id).toBe("+61");
  });

  it("falls back to +44 when no language names a region", async () => {
    geo(async () => Response.json({ country_code: null }));
    expect((await guessCountry(["en", "eo"])).id).toBe("+44");
  });

  it("waits three seconds at most", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    geo(async () => Response.json({ country_code: "GB" }));
    await guessCountry([]);
    expect(timeout).toHaveBeenCalledWith(3000);
  });
});
