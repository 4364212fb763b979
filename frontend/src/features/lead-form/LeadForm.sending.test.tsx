import { cleanup, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { leadForm } from "@/content/leadForm";
import { type EventListener, onEvent } from "@/lib/events";
import { ACCEPTED, errorOf, openForm, type Server, startServer } from "./formFixture";

let server: Server;

beforeEach(async () => {
  server = await startServer();
});

/** As our server says that it cannot store anything just now. */
const busy = () => Response.json({ code: 503, message: "" }, { status: 503 });

describe("sending", () => {
  it("sends the entry, thanks, empties the form and leads on", async () => {
    const seen = vi.fn<EventListener>();
    const stop = onEvent(seen);
    const { field, submit, fill } = await openForm();
    await fill();
    await submit();
    expect(await screen.findByText("Success!")).toBeInTheDocument();
    expect(screen.getByText("Thank you! We'll contact you within 24 hours.")).toBeInTheDocument();
    expect(field("Name")).toHaveValue("");
    expect(screen.queryByRole("heading", { name: "Thank you" })).toBeNull();
    expect(await screen.findByRole("heading", { name: "Thank you" }, { timeout: 2000 })).toBeInTheDocument();
    expect(server.posts.mock.calls[0]?.[0]).toMatchObject({
      name: "Ada",
      surname: "Example",
      email: "ada@example.com",
      countryCode: "+44",
      countryIso: "GB",
      phone: "07911 123456",
      website: "",
    });
    expect(server.posts.mock.calls[0]?.[0]).not.toHaveProperty("marketingOptIn");
    expect(screen.getByText("?reference=123456 Ada")).toBeInTheDocument();
    const { eventId } = server.posts.mock.calls[0]?.[0] ?? {};
    expect(eventId).toMatch(/^[0-9a-f-]{36}$/);
    expect(seen.mock.calls).toEqual([[{ kind: "conversion", leadId: "6f1c", eventId }]]);
    stop();
  });

  it("shows a busy button meanwhile and says so, and sends a double click once", async () => {
    let accept: (response: Response) => void = () => {};
    server.answer = () =>
      new Promise((resolve) => {
        accept = resolve;
      });
    const { user, fill } = await openForm();
    await fill();
    const button = screen.getByRole("button", { name: "Get Free Consultation" });
    const wait = button.nextElementSibling;
    expect(wait).toHaveAttribute("role", "status");
    expect(wait).toBeEmptyDOMElement();
    await user.dblClick(button);
    await waitFor(() => expect(server.posts).toHaveBeenCalled());
    expect(button).toBeDisabled();
    expect(button).toHaveAttribute("aria-busy", "true");
    expect(wait).toHaveTextContent("Sending");
    accept(Response.json(ACCEPTED));
    expect(await screen.findByText("Success!")).toBeInTheDocument();
    expect(server.posts).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Server["answer"], string]>([
    ["a server error", busy, "Try again"],
    ["an answer without success", () => Response.json({}), "Try again"],
    ["an answer that is no JSON", () => new Response("<html>"), "Send now"],
    ["no network", () => Promise.reject(new TypeError("offline")), "Send now"],
  ])("keeps everything after %s, and offers two ways on", async (_, failing, again) => {
    server.answer = failing;
    const { field, submit, fill } = await openForm();
    await fill();
    await submit();
    expect(await screen.findByText("Failed to submit form. Please try again.")).toBeInTheDocument();
    expect(screen.getByText("Error")).toBeInTheDocument();
    expect(field("Email")).toHaveValue("ada@example.com");
    expect(await screen.findByRole("button", { name: again })).toBeEnabled();
    expect(screen.getByRole("link", { name: "Send by WhatsApp instead" })).toHaveAttribute(
      "href",
      expect.stringContaining("wa.me"),
    );
  });

  it("says kindly that there were too many, and offers WhatsApp and the phone", async () => {
    server.answer = () => new Response("", { status: 429, headers: { "Retry-After": "60" } });
    const { field, submit, fill } = await openForm();
    await fill();
    await submit();
    expect(await screen.findByText(leadForm.limited.text)).toBeInTheDocument();
    expect(screen.getByText(leadForm.limited.toast.title)).toBeInTheDocument();
    expect(field("Email")).toHaveValue("ada@example.com");
    expect(screen.getByRole("link", { name: "Send by WhatsApp instead" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: /^Call the clinic/ })).toHaveAttribute("href", "tel:+902120000000");
    expect(screen.queryByText(leadForm.failure.text)).toBeNull();
  });

  it("sends the start token, and goes without one that it did not get", async () => {
    const { submit, fill } = await openForm();
    await fill();
    await submit();
    await waitFor(() => expect(server.posts.mock.calls[0]?.[2]).toBe("signed"));
    cleanup();
    server.start = () => Promise.reject(new TypeError("offline"));
    const again = await openForm();
    await again.fill();
    await again.submit();
    await waitFor(() => expect(server.posts.mock.calls[1]?.[2]).toBe(""));
  });

  it("uses the same key again for the same data, and a new one for changed data", async () => {
    server.answer = busy;
    const { user, field, submit, fill } = await openForm();
    await fill();
    await submit();
    await user.click(await screen.findByRole("button", { name: "Try again" }));
    await waitFor(() => expect(server.posts).toHaveBeenCalledTimes(2));
    await screen.findByRole("button", { name: "Try again" });
    await user.type(field("Your Questions"), "How long?");
    await submit();
    await waitFor(() => expect(server.posts).toHaveBeenCalledTimes(3));
    const [first, second, third] = server.posts.mock.calls;
    expect(third?.[0].eventId).not.toBe(first?.[0].eventId);
    expect(first?.[1]).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toEqual(first);
    expect(third?.[1]).not.toBe(first?.[1]);
  });

  it("shows at their fields what the server refuses", async () => {
    const refusal = { errors: { json: { email: ["Please enter a valid email address"] } } };
    server.answer = () => Response.json(refusal, { status: 422 });
    const { user, field, submit, fill } = await openForm();
    await fill();
    await submit();
    await waitFor(() => expect(errorOf(field("Email"))).toBe(true));
    expect(field("Email")).toHaveFocus();
    expect(screen.getByText("Failed to submit form. Please try again.")).toBeInTheDocument();
    server.answer = () => Response.json(ACCEPTED);
    await user.type(field("Email"), ".uk");
    await submit();
    expect(await screen.findByText("Success!")).toBeInTheDocument();
    expect(server.posts.mock.calls[1]?.[1]).not.toBe(server.posts.mock.calls[0]?.[1]);
  });
});
