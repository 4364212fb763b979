import { describe, expect, it, vi } from "vitest";
import { chatLink, chatMessage, RIGHT_TO_LEFT, recordChatClick } from "./whatsapp";

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

  it("records a click in the same tick, with a request that outlives the page", () => {
    const fetching = vi.fn<typeof fetch>(async () => Response.json({}));
    vi.stubGlobal("fetch", fetching);
    recordChatClick("A1B2C", "thank-you-page", "[A1B2C] text");
    const [url, options] = fetching.mock.calls[0] ?? [];
    expect(url).toBe("/api/whatsapp-click");
    expect(options?.keepalive).toBe(true);
    expect(JSON.parse(String(options?.body))).toMatchObject({
      uniqueCode: "A1B2C",
      buttonLocation: "thank-you-page",
      whatsappMessage: "[A1B2C] text",
      ipAddress: null,
      analyticsClickId: null,
      googleGclid: null,
      timestamp: null,
      currentUrl: window.location.href,
    });
  });

  it("only logs a click that could not be recorded", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    recordChatClick("A1B2C", "x", "y");
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith("Recording a WhatsApp click: offline"));
  });
});
