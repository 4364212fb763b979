import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followContacts } from "@/lib/contacts";
import { type EventListener, onEvent } from "@/lib/events";
import { DEFAULT_SETTINGS, type Settings } from "@/lib/pageSettings";
import type { Receipt } from "@/lib/receipt";
import { SettingsContext } from "@/lib/settings";
import { ThankYouPage } from "./ThankYouPage";

const CALL = "Our experts will call you within 24 hours: today (Friday 1 May) between 09:30 and 16:00 your time.";
const seen = vi.fn<EventListener>();
let stop: () => void;

beforeEach(() => {
  seen.mockClear();
  stop = onEvent(seen);
});
afterEach(() => stop());

function open(receipt: Partial<Receipt> | null = null, settings: Partial<Settings> = {}) {
  const state = receipt && { reference: "123456", firstName: "Ada", call: CALL, details: null, ...receipt };
  render(
    <MemoryRouter initialEntries={[{ pathname: "/thank-you", search: state ? "?reference=123456" : "", state }]}>
      <SettingsContext value={{ ...DEFAULT_SETTINGS, ...settings }}>
        <ThankYouPage />
      </SettingsContext>
    </MemoryRouter>,
  );
}

describe("the thank-you page", () => {
  it("greets by first name, with the receipt's reference and the hour of the call", () => {
    open({});
    expect(screen.getByRole("heading", { name: "Thank you, Ada" })).toBeInTheDocument();
    // A name that is written from right to left stays apart from our words.
    expect(screen.getByText("Ada").tagName).toBe("BDI");
    expect(screen.getByText("123456")).toBeInTheDocument();
    expect(screen.getByText(CALL).closest("p")).toHaveTextContent(`Your request was submitted. ${CALL}`);
  });

  it("promises nothing beside what the server said", () => {
    open({ call: "The clinic is closed until Monday 4 May." });
    expect(screen.queryByText(/24 hours/)).toBeNull();
  });

  it("asks for photos first, on WhatsApp, with the reference", () => {
    open({});
    const next = screen.getByRole("heading", { name: "What happens next" }).parentElement as HTMLElement;
    const [first] = within(next).getAllByRole("listitem");
    const link = within(first as HTMLElement).getByRole<HTMLAnchorElement>("link", {
      name: "Send your photos on WhatsApp",
    });
    expect(new URL(link.href).searchParams.get("text")).toBe("My reference is 123456. Here are my photos.");
    expect(link).toHaveAttribute("data-chat-source", "thank-you-page");
  });

  it("opened directly, shows six digits from the clock, claims nothing and reports a view alone", () => {
    open();
    expect(screen.getByRole("heading", { name: "Thank you" })).toBeInTheDocument();
    expect(screen.getByText(/^\d{6}$/)).toBeInTheDocument();
    expect(screen.getByText(/^If you sent a request just now/)).toBeInTheDocument();
    expect(screen.queryByText(/was submitted/)).toBeNull();
    expect(screen.getByText("Copy reference").closest("button")).toHaveAttribute("data-hidden");
    const kinds = seen.mock.calls.map(([event]) => event.kind);
    expect(kinds).toEqual(["page_view"]);
    expect(seen.mock.calls[0]?.[0]).toMatchObject({ title: "Thank You" });
  });

  it.each([true, false])("speaks of an e-mail only when one is sent (%s)", (mailEnabled) => {
    open(null, { mailEnabled });
    expect(screen.queryAllByText(/^Check your email/)).toHaveLength(mailEnabled ? 1 : 0);
  });

  it("copies the reference", async () => {
    const user = userEvent.setup();
    open({});
    await user.click(screen.getByRole("button", { name: "Copy reference" }));
    expect(await screen.findByText("Copied")).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe("123456");
  });

  it("dials the clinic, and reports it", async () => {
    followContacts();
    open();
    const call = screen.getByRole("link", { name: "Call Now: +90 212 000 00 00" });
    expect(call).toHaveAttribute("href", "tel:+902120000000");
    call.addEventListener("click", (event) => event.preventDefault());
    await userEvent.click(call);
    expect(seen).toHaveBeenCalledWith({ kind: "phone_click", location: "thank-you-page" });
  });
});
