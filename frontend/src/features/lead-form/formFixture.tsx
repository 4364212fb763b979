/** For tests only: the form on a page, with a fake server. */
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { MemoryRouter, Route, Routes, useLocation } from "react-router-dom";
import { expect, vi } from "vitest";
import { Toasts } from "@/components/Toasts";
import { leadForm } from "@/content/leadForm";
import { LeadForm } from "./LeadForm";
import { loadForm } from "./useLeadForm";

type Answer = () => Promise<Response> | Response;

export const ACCEPTED = { success: true, id: "6f1c", reference: "123456" };

/** What the fake server answers, and what was sent to it. */
export interface Server {
  answer: Answer;
  region: Answer;
  start: Answer;
  posts: ReturnType<typeof vi.fn<(body: Record<string, unknown>, key: string, token: string) => void>>;
}

export async function startServer(): Promise<Server> {
  const server: Server = {
    answer: () => Response.json(ACCEPTED, { status: 201 }),
    region: () => Response.json({ country_code: null }),
    start: () => Response.json({ token: "signed", waitSeconds: 0, renewSeconds: 3600 }),
    posts: vi.fn(),
  };
  vi.stubGlobal("fetch", async (url: string, options: RequestInit = {}) => {
    if (String(url).endsWith("/api/geo")) {
      return server.region();
    }
    if (String(url).startsWith("/api/start?")) {
      return server.start();
    }
    const headers = new Headers(options.headers);
    const sent = (name: string) => headers.get(name) ?? "";
    server.posts(JSON.parse(String(options.body)), sent("Idempotency-Key"), sent("Start-Token"));
    return server.answer();
  });
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["en-GB"]);
  await loadForm();
  return server;
}

/** Where the form leads, and what the page there is given. */
function Thanks() {
  const { search, state } = useLocation();
  return (
    <>
      <h1>Thank you</h1>
      <p>{`${search} ${state?.firstName}`}</p>
    </>
  );
}

export async function openForm() {
  const user = userEvent.setup();
  render(
    <MemoryRouter>
      <Toasts page="/">
        <Routes>
          <Route path="/" element={<LeadForm words={leadForm} />} />
          <Route path="/thank-you" element={<Thanks />} />
        </Routes>
      </Toasts>
    </MemoryRouter>,
  );
  const country = await screen.findByRole("button", { name: /Country code/ });
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
      fireEvent.change(field(name), { target: { value } });
    }
  };
  return { user, country, field, submit, fill };
}

/** The search box of the open list of countries. */
export const findCountrySearch = () => screen.findByRole("combobox", { name: leadForm.country.search });

export async function choose(user: UserEvent, typed: string) {
  await user.click(screen.getByRole("button", { name: /Country code/ }));
  await user.type(await findCountrySearch(), `${typed}{Enter}`);
}

/** Whether a field shows an error. */
export const errorOf = (field: HTMLElement) => field.getAttribute("aria-invalid") === "true";
