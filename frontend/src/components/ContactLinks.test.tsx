import { fireEvent, render, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { followContacts } from "@/lib/contacts";
import { type EventListener, onEvent } from "@/lib/events";
import { RIGHT_TO_LEFT } from "@/lib/whatsapp";
import { ChatLink } from "./ContactLinks";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const fetching = vi.fn<typeof fetch>();

beforeEach(() => {
  fetching.mockReset().mockResolvedValue(Response.json({}));
  vi.stubGlobal("fetch", fetching);
  followContacts();
});

function show(chat: ReactElement = <ChatLink source="sticky-footer-landing">Talk to Advisor</ChatLink>) {
  render(chat);
  const link = screen.getByRole<HTMLAnchorElement>("link");
  link.addEventListener("click", (event) => event.preventDefault());
  return link;
}

const textOf = (href: string) => new URL(href).searchParams.get("text") ?? "";
const recorded = () => JSON.parse(String(fetching.mock.calls[0]?.[1]?.body));

it("is a real link with the generic message before it is tapped", () => {
  const { href } = show();
  expect(href).toMatch(/^https:\/\/wa\.me\/902120000000\?text=Hi%20-%20quick/);
  expect(textOf(href)).toBe("Hi - quick implants price & treatment info, please.");
});

it("gets a code in the tap, recorded in the same tick by a request that outlives the page", () => {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["en", "de-AT"]);
  const seen = vi.fn<EventListener>();
  const stop = onEvent(seen);
  const link = show();
  fireEvent.click(link);
  stop();
  expect(textOf(link.href)).toMatch(/^\[[A-Z0-9]{5}\] Hi - quick/);
  expect(link.target).toBe("_blank");
  expect(fetching.mock.calls[0]).toMatchObject(["/api/whatsapp-click", { keepalive: true }]);
  const code = textOf(link.href).slice(1, 6);
  expect(recorded()).toMatchObject({
    uniqueCode: code,
    buttonLocation: "sticky-footer-landing",
    whatsappMessage: textOf(link.href),
    countryIso: "AT",
    language: navigator.language,
    ipAddress: null,
    analyticsClickId: null,
    googleGclid: null,
    timestamp: null,
    currentUrl: window.location.href,
  });
  const { eventId } = recorded();
  expect(seen.mock.calls).toEqual([[{ kind: "whatsapp_click", location: "sticky-footer-landing", code, eventId }]]);
  fireEvent.click(link);
  expect(textOf(link.href)).toMatch(/^\[[A-Z0-9]{5}\] Hi - quick/);
  expect(textOf(link.href).slice(1, 6)).not.toBe(code);
});

it.each([
  ["de", "Guten Tag.", /^\[[A-Z0-9]{5}\] Guten Tag\.$/],
  ["ar", `${RIGHT_TO_LEFT}مرحبًا`, /^\u200f\[[A-Z0-9]{5}\] مرحبًا$/],
])("begins in the language that the visitor chose, in its direction, and records it: %s", (lang, opening, text) => {
  const link = show(
    <ChatLink source="footer-landing" lang={lang} opening={opening}>
      Chat
    </ChatLink>,
  );
  expect(link).toHaveAttribute("lang", lang);
  expect(textOf(link.href)).toBe(opening);
  fireEvent.click(link);
  expect(textOf(link.href)).toMatch(text);
  expect(recorded()).toMatchObject({ buttonLocation: "footer-landing", language: lang });
});

it("is recorded when the middle button opens it, and not when the right one does", () => {
  const link = show();
  const press = (button: number) => fireEvent(link, new MouseEvent("auxclick", { button, bubbles: true }));
  press(2);
  expect(fetching).not.toHaveBeenCalled();
  press(1);
  expect(recorded()).toMatchObject({ uniqueCode: textOf(link.href).slice(1, 6) });
});

it("carries the question that was typed into its form", () => {
  const link = show(
    <form>
      <textarea name="message" defaultValue=" How long? " />
      <ChatLink source="contact-form-failure">Send by WhatsApp</ChatLink>
    </form>,
  );
  fireEvent.click(link);
  expect(textOf(link.href)).toMatch(/price & treatment info, please\.\n\nHow long\?$/);
});

it("stays in the tab on iOS Safari", () => {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(IPHONE);
  const link = show();
  fireEvent.click(link);
  expect(link.target).toBe("_self");
});

it("still opens with the generic message when anything fails, and only logs a tap that could not be recorded", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const link = show();
  fetching.mockRejectedValue(new TypeError("offline"));
  fireEvent.click(link);
  await vi.waitFor(() => expect(warn).toHaveBeenCalledWith("Recording a WhatsApp click: offline"));
  vi.stubGlobal("crypto", {});
  fireEvent.click(link);
  expect(textOf(link.href)).toBe("Hi - quick implants price & treatment info, please.");
  expect(fetching).toHaveBeenCalledTimes(1);
});
