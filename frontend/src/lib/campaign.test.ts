import { describe, expect, it } from "vitest";
import { campaignFromSearch } from "./campaign";

describe("reading campaign parameters", () => {
  it("prefers the utm names over the short ones", () => {
    const campaign = campaignFromSearch(
      "?campaign=b&utm_campaign=a&adgroup=b&utm_content=a&keyword=b&utm_term=a&creative=b&utm_source=a",
    );
    expect(campaign).toMatchObject({
      googleCampaign: "a",
      googleAdgroup: "a",
      googleKeyword: "a",
      googleAd: "a",
    });
  });

  it("falls back to the short names", () => {
    const campaign = campaignFromSearch("?campaign=c&adgroup=g&keyword=k&creative=r");
    expect(campaign).toMatchObject({
      googleCampaign: "c",
      googleAdgroup: "g",
      googleKeyword: "k",
      googleAd: "r",
      utmSource: null,
      utmContent: null,
      utmTerm: null,
    });
  });

  it("reads the click id, medium, match type, network and device", () => {
    const campaign = campaignFromSearch("?gclid=x&utm_medium=cpc&matchtype=e&network=g&device=m");
    expect(campaign).toMatchObject({
      googleGclid: "x",
      utmMedium: "cpc",
      googleMatchtype: "e",
      googleNetwork: "g",
      googleDevice: "m",
    });
  });

  it("is null when the address names no campaign", () => {
    expect(campaignFromSearch("?page=2&gclid=")).toBeNull();
  });

  it("truncates to 255 characters", () => {
    expect(campaignFromSearch(`?gclid=${"x".repeat(300)}`)?.googleGclid).toHaveLength(255);
  });
});
