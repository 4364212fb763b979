import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter, Route, Routes } from "react-router-dom";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { leadForm } from "@/content/leadForm";
import { Toasts } from "@/features/toasts/Toasts";
import { type EventListener, onEvent } from "@/lib/events";
import { LeadForm } from "./LeadForm";
import { loadChunk } from "./loadChunk";

type Answer = () => Promise<Response> | Response;

const ACCEPTED = { success: true, id: "6f1c", reference: "123456" };
const posts = vi.fn<(body: Record<string, unknown>, key: string) => void>();
let answer: Answer;
let region: Answer;

beforeEach(async () => {
  posts.mockClear();
  answer = () => Response.json(ACCEPTED, { status: 201 });
  region = () => Response.json({ country_code: null });
  vi.stubGlobal("fetch", async (url: string, options: RequestInit = {}) => {
    if (String(url).endsWith("/api/geo")) {
      return region();
    }
    const headers = new Headers(options.headers);
    posts(JSON.parse(String(options.body)), headers.get("Idempotency-Key") ?? "");
    return answer();
  });
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["en-GB"]);
  await loadChunk();
});

async function openForm() {
  const user = userEvent.setup();
  render(
    <MemoryRouter>
      <Toasts>
        <Routes>
          <Route path="/" element={<LeadForm words={leadForm} />} />
          <Route path="/thank-you" element={<h1>Thank you</h1>} />
        </Routes>
      </Toasts>
    </MemoryRouter>,
  );
  const country = screen.getByRole("button", { name: /Country code/ });
  await waitFor(() => expect(country.querySelector("img")).not.toBeNull());
  const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
  const submit = () => user.click(screen.getByRole("button", { name: "Get Free Consultation" }));
  const fill = async (values: Record<string, string> = {}) => {
    const all = {
      Name: "Ada",
      Surname: "Example",
      Email: "ada@example.com",
      Phone: "07911 123456",
      ...values,
    };
    for (const [name, value] of Object.entries(all)) {
      await user.clear(field(name));
      if (value) {
        await user.type(field(name), value);
      }
    }
  };
  return { user, country, field, submit, fill };
}

async function choose(user: ReturnType<typeof userEvent.setup>, typed: string) {
  await user.click(screen.getByRole("button", { name: /Country code/ }));
  await user.type(await screen.findByRole("combobox"), `${typed}{Enter}`);
}

const errorOf = (field: HTMLElement) => field.getAttribute("aria-describedby")?.includes("-error") ?? false;

describe("checking what was entered", () => {
  it("shows nothing before the first submit", async () => {
    const { user, field } = await openForm();
    await user.type(field("Email"), "nonsense");
    await user.tab();
    expect(screen.queryByText("Please enter a valid email address")).toBeNull();
  });

  it("shows every field's message in page order, and focuses the first", async () => {
    const { field, submit } = await openForm();
    await submit();
    const summary = await screen.findByRole("region", { name: "4 fields need your attention" });
    expect(
      within(summary)
        .getAllByRole("link")
        .map((link) => link.textContent),
    ).toEqual([
      "Name must be at least 2 characters",
      "Surname must be at least 2 characters",
      "Please enter a valid email address",
      "Please enter your phone number",
    ]);
    expect(field("Name")).toHaveFocus();
    expect(field("Name")).toHaveAccessibleDescription("Name must be at least 2 characters");
    expect(posts).not.toHaveBeenCalled();
  });

  it("goes from the summary to the field", async () => {
    const { user, field, submit } = await openForm();
    await submit();
    const summary = await screen.findByRole("region", { name: /need your attention/ });
    await user.click(within(summary).getByRole("link", { name: "Please enter a valid email address" }));
    expect(field("Email")).toHaveFocus();
  });

  it("checks a field again on each change after a failed submit", async () => {
    const { user, field, submit, fill } = await openForm();
    await fill({ Name: "A" });
    await submit();
    await waitFor(() => expect(errorOf(field("Name"))).toBe(true));
    await user.type(field("Name"), "d");
    await waitFor(() => expect(errorOf(field("Name"))).toBe(false));
  });

  it("does not count blanks as letters", async () => {
    const { field, submit, fill } = await openForm();
    await fill({ Surname: " E " });
    await submit();
    await waitFor(() => expect(errorOf(field("Surname"))).toBe(true));
    expect(field("Surname")).toHaveFocus();
  });

  it.each([
    ["", "Please enter your phone number"],
    ["123", "Please enter a valid phone number"],
    ["1-2-3-", "Phone number too short"],
    ["07700 900123", "Please enter a valid phone number for the selected country"],
  ])("says about the phone number %j what is wrong", async (typed, message) => {
    const { field, submit, fill } = await openForm();
    await fill({ Phone: typed });
    await submit();
    await waitFor(() => expect(field("Phone")).toHaveAccessibleDescription(expect.stringContaining(message)));
  });

  it("checks the phone again when the country changes", async () => {
    const { user, field, submit, fill } = await openForm();
    await fill({ Phone: "416 555 0134" });
    await submit();
    await waitFor(() => expect(errorOf(field("Phone"))).toBe(true));
    await choose(user, "can");
    await waitFor(() => expect(errorOf(field("Phone"))).toBe(false));
  });
});

describe("sending", () => {
  it("sends the entry, thanks, empties the form and leads on after a second", async () => {
    const seen = vi.fn<EventListener>();
    const stop = onEvent(seen);
    const { field, submit, fill } = await openForm();
    await fill();
    await submit();
    expect(await screen.findByText("Success!")).toBeInTheDocument();
    expect(screen.getByText("Thank you! We'll contact you within 24 hours.")).toBeInTheDocument();
    expect(field("Name")).toHaveValue("");
    const thanked = performance.now();
    expect(screen.queryByRole("heading", { name: "Thank you" })).toBeNull();
    expect(await screen.findByRole("heading", { name: "Thank you" }, { timeout: 2000 })).toBeInTheDocument();
    expect(performance.now() - thanked).toBeGreaterThan(500);
    expect(posts.mock.calls[0]?.[0]).toMatchObject({
      name: "Ada",
      surname: "Example",
      email: "ada@example.com",
      countryCode: "+44",
      countryIso: "GB",
      phone: "07911 123456",
      website: "",
    });
    expect(JSON.parse(sessionStorage.getItem("lead_receipt") ?? "{}")).toMatchObject({
      reference: "123456",
      firstName: "Ada",
    });
    expect(seen.mock.calls).toEqual([[{ kind: "conversion", leadId: "6f1c" }]]);
    stop();
  });

  it("shows a busy button meanwhile, and sends a double click once", async () => {
    let accept: (response: Response) => void = () => {};
    answer = () =>
      new Promise((resolve) => {
        accept = resolve;
      });
    const { user, fill } = await openForm();
    await fill();
    const button = screen.getByRole("button", { name: "Get Free Consultation" });
    await user.dblClick(button);
    await waitFor(() => expect(posts).toHaveBeenCalled());
    expect(button).toBeDisabled();
    expect(button).toHaveAttribute("aria-busy", "true");
    accept(Response.json(ACCEPTED));
    expect(await screen.findByText("Success!")).toBeInTheDocument();
    expect(posts).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Answer]>([
    ["a server error", () => new Response("", { status: 500 })],
    ["an answer without success", () => Response.json({})],
    ["an answer that is no JSON", () => new Response("<html>")],
    ["no network", () => Promise.reject(new TypeError("offline"))],
  ])("keeps everything after %s, and offers two ways on", async (_, failing) => {
    answer = failing;
    const { field, submit, fill } = await openForm();
    await fill();
    await submit();
    expect(await screen.findByText("Failed to submit form. Please try again.")).toBeInTheDocument();
    expect(screen.getByText("Error")).toBeInTheDocument();
    expect(field("Email")).toHaveValue("ada@example.com");
    expect(screen.getByRole("button", { name: "Try again" })).toBeEnabled();
    expect(screen.getByRole("link", { name: "Send by WhatsApp instead" })).toHaveAttribute(
      "href",
      expect.stringContaining("wa.me"),
    );
  });

  it("uses the same key again for the same data, and a new one for changed data", async () => {
    answer = () => new Response("", { status: 503 });
    const { user, field, submit, fill } = await openForm();
    await fill();
    await submit();
    await user.click(await screen.findByRole("button", { name: "Try again" }));
    await waitFor(() => expect(posts).toHaveBeenCalledTimes(2));
    await screen.findByRole("button", { name: "Try again" });
    await user.type(field("Your Questions"), "How long?");
    await submit();
    await waitFor(() => expect(posts).toHaveBeenCalledTimes(3));
    const [first, second, third] = posts.mock.calls;
    expect(first?.[1]).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toEqual(first);
    expect(third?.[1]).not.toBe(first?.[1]);
  });

  it("shows at their fields what the server refuses", async () => {
    const refusal = { errors: { json: { email: ["Please enter a valid email address"] } } };
    answer = () => Response.json(refusal, { status: 422 });
    const { user, field, submit, fill } = await openForm();
    await fill();
    await submit();
    await waitFor(() => expect(errorOf(field("Email"))).toBe(true));
    expect(field("Email")).toHaveFocus();
    expect(screen.getByText("Failed to submit form. Please try again.")).toBeInTheDocument();
    answer = () => Response.json(ACCEPTED);
    await user.type(field("Email"), ".uk");
    await submit();
    expect(await screen.findByText("Success!")).toBeInTheDocument();
    expect(posts.mock.calls[1]?.[1]).not.toBe(posts.mock.calls[0]?.[1]);
  });
});

describe("the country", () => {
  it("is guessed from the address", async () => {
    region = () => Response.json({ country_code: "CA" });
    const { country } = await openForm();
    await waitFor(() => expect(country).toHaveAccessibleName("Country code: CAN +1"));
  });

  it("stays as chosen when the guess arrives late", async () => {
    let tell: (response: Response) => void = () => {};
    region = () =>
      new Promise((resolve) => {
        tell = resolve;
      });
    const { user, country } = await openForm();
    await choose(user, "kaz");
    tell(Response.json({ country_code: "AU" }));
    await Promise.resolve();
    expect(country).toHaveAccessibleName("Country code: Kazakhstan +7");
    expect(country).toHaveFocus();
  });

  it("is sent as a bare code with its region", async () => {
    const { user, submit, fill } = await openForm();
    await fill({ Phone: "701 123 4567" });
    await choose(user, "kaz");
    await submit();
    await waitFor(() => expect(posts).toHaveBeenCalled());
    expect(posts.mock.calls[0]?.[0]).toMatchObject({ countryCode: "+7", countryIso: "KZ" });
  });

  it("opens by typing, moves by arrows and closes by Escape", async () => {
    const { user, country } = await openForm();
    country.focus();
    await user.keyboard("n");
    const search = await screen.findByRole("combobox");
    expect(search).toHaveValue("n");
    await user.clear(search);
    await user.keyboard("{Home}{ArrowDown}");
    const active = document.getElementById(search.getAttribute("aria-activedescendant") ?? "");
    expect(active).toHaveTextContent("USA+1");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("combobox")).toBeNull();
    expect(country).toHaveFocus();
    expect(country).toHaveAccessibleName("Country code: UK +44");
  });
});

describe("the form before its rules arrive", () => {
  it("keeps what was typed and where the cursor was", async () => {
    cleanup();
    vi.resetModules();
    vi.stubGlobal(
      "IntersectionObserver",
      class {
        observe() {}
        disconnect() {}
      },
    );
    const user = userEvent.setup();
    render(
      <MemoryRouter>
        <LeadForm words={leadForm} />
      </MemoryRouter>,
    );
    const name = screen.getByRole("textbox", { name: "Name" });
    await user.type(name, "Ada");
    await waitFor(() => expect(document.querySelector("button img")).not.toBeNull());
    expect(name).toHaveFocus();
    await user.click(screen.getByRole("button", { name: "Get Free Consultation" }));
    await waitFor(() => expect(errorOf(screen.getByRole("textbox", { name: "Surname" }))).toBe(true));
    expect(screen.getByRole("textbox", { name: "Name" })).toBe(name);
    expect(name).toHaveValue("Ada");
    expect(errorOf(name)).toBe(false);
  });
});
