import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { followContacts } from "@/lib/contacts";
import { ChatLink } from "./ContactLinks";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const fetching = vi.fn<typeof fetch>();

beforeEach(() => {
  fetching.mockReset().mockResolvedValue(Response.json({}));
  vi.stubGlobal("fetch", fetching);
  followContacts();
});

function tap() {
  render(<ChatLink source="sticky-footer-landing">Talk to Advisor</ChatLink>);
  const link = screen.getByRole<HTMLAnchorElement>("link", { name: "Talk to Advisor" });
  const before = link.href;
  link.addEventListener("click", (event) => event.preventDefault());
  fireEvent.click(link);
  return { link, before };
}

const textOf = (href: string) => new URL(href).searchParams.get("text") ?? "";

describe("a chat link", () => {
  it("is a real link with the generic message before it is tapped", () => {
    const { before } = tap();
    expect(before).toMatch(/^https:\/\/wa\.me\/902120000000\?text=/);
    expect(textOf(before)).toBe("Hi - quick implants price & treatment info, please.");
  });

  it("gets a code in the tap, and records it with its place", () => {
    const { link } = tap();
    expect(textOf(link.href)).toMatch(/^\[[A-Z0-9]{5}\] Hi - quick/);
    expect(link.target).toBe("_blank");
    expect(JSON.parse(String(fetching.mock.calls[0]?.[1]?.body))).toMatchObject({
      uniqueCode: textOf(link.href).slice(1, 6),
      buttonLocation: "sticky-footer-landing",
      whatsappMessage: textOf(link.href),
    });
  });

  it("begins in the language that the visitor chose, and records it", () => {
    render(
      <ChatLink source="footer-landing" lang="de" opening="Guten Tag.">
        Deutsch
      </ChatLink>,
    );
    const link = screen.getByRole<HTMLAnchorElement>("link", { name: "Deutsch" });
    expect(link).toHaveAttribute("lang", "de");
    expect(textOf(link.href)).toBe("Guten Tag.");
    link.addEventListener("click", (event) => event.preventDefault());
    fireEvent.click(link);
    expect(textOf(link.href)).toMatch(/^\[[A-Z0-9]{5}\] Guten Tag\.$/);
    expect(JSON.parse(String(fetching.mock.calls[0]?.[1]?.body))).toMatchObject({
      buttonLocation: "footer-landing",
      language: "de",
    });
  });

  it("gets another code with each tap", () => {
    const { link } = tap();
    const first = link.href;
    fireEvent.click(link);
    expect(link.href).not.toBe(first);
    expect(textOf(link.href)).toMatch(/^\[[A-Z0-9]{5}\] Hi - quick/);
  });

  it("is recorded when the middle button opens it, and not when the right one does", () => {
    render(<ChatLink source="sticky-footer-landing">Talk to Advisor</ChatLink>);
    const link = screen.getByRole<HTMLAnchorElement>("link");
    const press = (button: number) => fireEvent(link, new MouseEvent("auxclick", { button, bubbles: true }));
    press(2);
    expect(fetching).not.toHaveBeenCalled();
    press(1);
    expect(fetching).toHaveBeenCalledTimes(1);
    expect(JSON.parse(String(fetching.mock.calls[0]?.[1]?.body))).toMatchObject({
      uniqueCode: textOf(link.href).slice(1, 6),
      buttonLocation: "sticky-footer-landing",
    });
  });

  it("carries the question that was typed into its form", () => {
    render(
      <form>
        <textarea name="message" defaultValue="How long?" />
        <ChatLink source="contact-form-failure">Send by WhatsApp</ChatLink>
      </form>,
    );
    const link = screen.getByRole<HTMLAnchorElement>("link");
    fireEvent.click(link);
    expect(textOf(link.href)).toMatch(/price & treatment info, please\.\n\nHow long\?$/);
  });

  it("stays in the tab on iOS Safari", () => {
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue(IPHONE);
    expect(tap().link.target).toBe("_self");
  });

  it("still opens with the generic message when anything fails", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.stubGlobal("crypto", {});
    const { link, before } = tap();
    expect(link.href).toBe(before);
    expect(warn).toHaveBeenCalled();
    expect(fetching).not.toHaveBeenCalled();
  });
});
