import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import * as words from "#content/consent.yaml";
import { currentAttribution, noteArrival } from "@/lib/attribution";
import { currentConsent, giveConsent } from "@/lib/consent";
import { ChoicesButton } from "./ChoicesButton";
import { Consent, keepCampaign } from "./Consent";

const region = () => screen.queryByRole("region", { name: words.title });
const button = (name: string) => screen.getByRole("button", { name });
const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name: new RegExp(name) });

function open(purposes: ("analytics" | "advertising")[] = ["analytics", "advertising"]) {
  render(
    <>
      <Consent words={words} purposes={purposes} />
      <ChoicesButton label={words.reopen} />
    </>,
  );
  return userEvent.setup();
}

describe("the question about cookies", () => {
  it.each([
    [words.accept, true],
    [words.reject, false],
  ])("is answered by one press on %s, and gone", async (name, allowed) => {
    const user = open();
    await user.click(button(name));
    expect(region()).toBeNull();
    expect(currentConsent()).toMatchObject({
      version: words.version,
      choice: { analytics: allowed, advertising: allowed },
    });
    expect(Math.abs(Date.parse(currentConsent()?.at ?? "") - Date.now())).toBeLessThan(5000);
  });

  it("takes no focus by itself, and gives accepting no more weight than rejecting", () => {
    open();
    expect(document.body).toHaveFocus();
    expect(button(words.accept).className).toBe(button(words.reject).className);
  });

  it("lets each purpose be chosen, with nothing ticked beforehand", async () => {
    const user = open();
    await user.click(button(words.choose));
    expect(box("Statistics")).toHaveFocus();
    expect(box("Statistics")).not.toBeChecked();
    expect(box("Advertising")).not.toBeChecked();
    await user.click(box("Statistics"));
    await user.click(button(words.save));
    expect(currentConsent()?.choice).toEqual({ analytics: true, advertising: false });
  });

  it("asks only about what is used here", async () => {
    const user = open(["advertising"]);
    await user.click(button(words.choose));
    expect(screen.getAllByRole("checkbox")).toEqual([box("Advertising")]);
    await user.click(button(words.reject));
    expect(currentConsent()?.choice).toEqual({ advertising: false });
  });

  it("is not asked twice, unless its wording has changed", () => {
    const choice = { analytics: false, advertising: false };
    giveConsent({ version: words.version, choice, at: new Date().toISOString() });
    const { unmount } = render(<Consent words={words} purposes={["analytics"]} />);
    expect(region()).toBeNull();
    unmount();
    render(<Consent words={{ ...words, version: "2030-01-01" }} purposes={["analytics"]} />);
    expect(region()).toBeInTheDocument();
  });
});

describe("the footer's button", () => {
  it("opens the present choice with focus, and gives focus back after a change", async () => {
    const user = open();
    await user.click(button(words.accept));
    await user.click(button(words.reopen));
    expect(screen.getByRole("heading", { name: words.title })).toHaveFocus();
    expect(box("Advertising")).toBeChecked();
    await user.click(box("Advertising"));
    await user.click(button(words.save));
    expect(region()).toBeNull();
    expect(button(words.reopen)).toHaveFocus();
    expect(currentConsent()?.choice).toEqual({ analytics: true, advertising: false });
  });

  it("lets Esc leave the choice as it was", async () => {
    const user = open();
    await user.click(button(words.reject));
    const before = currentConsent();
    await user.click(button(words.reopen));
    await user.click(box("Statistics"));
    await user.keyboard("{Escape}");
    expect(region()).toBeNull();
    expect(button(words.reopen)).toHaveFocus();
    expect(currentConsent()).toEqual(before);
  });

  it("pressed before the banner's code has loaded still opens it", async () => {
    const user = userEvent.setup();
    giveConsent({
      version: words.version,
      choice: { advertising: true },
      at: new Date().toISOString(),
    });
    const { rerender } = render(<ChoicesButton label={words.reopen} />);
    await user.click(button(words.reopen));
    rerender(<Consent words={words} purposes={["advertising"]} />);
    expect(await screen.findByRole("region", { name: words.title })).toBeInTheDocument();
  });
});

describe("the campaign that brought the visitor", () => {
  it("is kept in the browser from a yes to advertising until a no", async () => {
    noteArrival({ url: "https://clinic.example/?gclid=abc", referrer: "", at: new Date() }, "after-consent");
    expect(localStorage.getItem("google_ads_data")).toBeNull();
    keepCampaign(null);
    const user = open();
    await user.click(button(words.accept));
    expect(localStorage.getItem("google_ads_data")).toContain("abc");
    await user.click(button(words.reopen));
    await user.click(button(words.reject));
    expect(localStorage.getItem("google_ads_data")).toBeNull();
    expect(currentAttribution()?.googleGclid).toBe("abc");
  });
});
