import { describe, expect, it, vi } from "vitest";
import { countryByLanguages, guessCountry } from "./guessCountry";

function geo(answer: () => Promise<Response>) {
  const fetching = vi.fn<typeof fetch>(answer);
  vi.stubGlobal("fetch", fetching);
  return fetching;
}

describe("guessing the country", () => {
  it("takes the address's country first", async () => {
    geo(async () => Response.json({ country_code: "KZ" }));
    expect((await guessCountry("/api/geo", ["en-AU"])).id).toBe("+7-kz");
  });

  it.each([
    ["no country", async () => Response.json({ country_code: null })],
    ["an unknown country", async () => Response.json({ country_code: "QQ" })],
    ["a failure", async () => new Response("", { status: 500 })],
    ["no JSON", async () => new Response("<html>")],
    ["no network", () => Promise.reject(new TypeError("offline"))],
  ])("falls back to the browser's region on %s", async (_, answer) => {
    geo(answer);
    expect((await guessCountry("/api/geo", ["en", "en-AU"])).id).toBe("+61");
  });

  it("falls back to +44 when no language names a region", async () => {
    geo(async () => Response.json({ country_code: null }));
    expect((await guessCountry("/api/geo", ["en", "eo"])).id).toBe("+44");
  });

  it("waits three seconds at most", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    geo(async () => Response.json({ country_code: "GB" }));
    await guessCountry("/api/geo", []);
    expect(timeout).toHaveBeenCalledWith(3000);
  });

  it("sends credentials to our own server only", async () => {
    const own = geo(async () => Response.json({ country_code: "GB" }));
    await guessCountry("/api/geo", []);
    expect(own.mock.calls[0]?.[1]?.credentials).toBe("include");
    const foreign = geo(async () => Response.json({ country_code: "GB" }));
    await guessCountry("https://geo.example/json", []);
    expect(foreign.mock.calls[0]?.[1]?.credentials).toBe("omit");
  });

  it("knows the regions of languages with a script", () => {
    expect(countryByLanguages(["zh-Hant-TW"])?.iso).toBe("TW");
  });
});
