import { beforeEach, describe, expect, it, vi } from "vitest";
import { type EventListener, onEvent } from "./events";
import { chatLink, chatMessage, codedChat, RIGHT_TO_LEFT } from "./whatsapp";

const GENERIC = chatLink("902120000000", "How much & when?");
const fetching = vi.fn<typeof fetch>();

beforeEach(() => {
  fetching.mockReset().mockImplementation(async () => Response.json({}));
  vi.stubGlobal("fetch", fetching);
});

const sent = () => JSON.parse(String(fetching.mock.calls[0]?.[1]?.body));

describe("the WhatsApp chat", () => {
  it("begins with the code in brackets before its opening", () => {
    expect(chatMessage("How much, please?", "A1B2C")).toBe("[A1B2C] How much, please?");
  });

  it("carries the visitor's own question when there is one", () => {
    expect(chatMessage("How much, please?", "A1B2C", " How long? ")).toMatch(/please\?\n\nHow long\?$/);
  });

  it("keeps a text from right to left in its direction, although the code comes first", () => {
    expect(chatMessage(`${RIGHT_TO_LEFT}مرحبًا`, "A1B2C")).toBe(`${RIGHT_TO_LEFT}[A1B2C] مرحبًا`);
  });

  it("is addressed by number, with the text encoded", () => {
    expect(chatLink("902120000000", "a & b")).toBe("https://wa.me/902120000000?text=a%20%26%20b");
  });
});

describe("a tap", () => {
  it("puts a code before whatever the link opens with, for the same number", () => {
    const { href } = codedChat(GENERIC, "thank-you-page", "");
    expect(decodeURIComponent(href)).toMatch(
      /^https:\/\/wa\.me\/902120000000\?text=\[[A-Z0-9]{5}\] How much & when\?$/,
    );
  });

  it("is recorded in the same tick, with a request that outlives the page", () => {
    vi.spyOn(navigator, "languages", "get").mockReturnValue(["en", "de-AT"]);
    const { href } = codedChat(GENERIC, "thank-you-page", "How long?");
    const [url, options] = fetching.mock.calls[0] ?? [];
    expect(url).toBe("/api/whatsapp-click");
    expect(options?.keepalive).toBe(true);
    const message = new URL(href).searchParams.get("text");
    expect(sent()).toMatchObject({
      uniqueCode: message?.slice(1, 6),
      buttonLocation: "thank-you-page",
      whatsappMessage: message,
      countryIso: "AT",
      language: navigator.language,
      ipAddress: null,
      analyticsClickId: null,
      googleGclid: null,
      timestamp: null,
      currentUrl: window.location.href,
    });
  });

  it("is reported to the tags under the id that our server gets", () => {
    const seen = vi.fn<EventListener>();
    const stop = onEvent(seen);
    codedChat(GENERIC, "thank-you-page", "");
    const { uniqueCode: code, eventId } = sent();
    expect(seen.mock.calls).toEqual([
      [{ kind: "whatsapp_click", location: "thank-you-page", code, eventId }],
    ]);
    stop();
  });

  it("only logs a click that could not be recorded", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    fetching.mockRejectedValue(new TypeError("offline"));
    codedChat(GENERIC, "x", "");
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith("Recording a WhatsApp click: offline"));
  });
});
