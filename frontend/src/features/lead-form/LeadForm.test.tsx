import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { marketing } from "#content/legal.yaml";
import { leadForm } from "@/content/leadForm";
import { noteArrival } from "@/lib/attribution";
import { VISIBLE_FIELDS } from "./fields";
import { choose, errorOf, findCountrySearch, openForm, type Server, startServer } from "./formFixture";
import { LeadForm } from "./LeadForm";
import { leadSchema } from "./schema";

let server: Server;

beforeEach(async () => {
  server = await startServer();
});

describe("the inputs", () => {
  const inputs = () => {
    const { elements } = screen.getByRole<HTMLInputElement>("textbox", { name: "Name" }).form ?? {};
    return [...(elements ?? [])].filter(
      (element): element is HTMLInputElement => "name" in element && element.name !== "",
    );
  };

  it("are one for each field, and those that a form without the script needs", async () => {
    await openForm();
    const names = inputs().map(({ name }) => name);
    const native = ["key", "start", "visit"];
    const fields = Object.keys(leadSchema.shape);
    expect(names.sort()).toEqual([...fields, ...native].sort());
  });

  it("count with what a password manager wrote into them without an event", async () => {
    const { field, submit, fill } = await openForm();
    await fill();
    field("Name").value = "Grace";
    field("Email").value = "grace@example.com";
    await submit();
    await waitFor(() => expect(server.posts).toHaveBeenCalled());
    expect(server.posts.mock.calls[0]?.[0]).toMatchObject({ name: "Grace", email: "grace@example.com" });
  });

  it("can be shown as wrong in the page's order, unless hidden or a box to tick", async () => {
    await openForm();
    const shown = inputs().filter((input) => !input.matches("[type=hidden], [type=checkbox], [aria-hidden] *"));
    expect(shown.map(({ name }) => name)).toEqual(VISIBLE_FIELDS);
  });
});

it("names and the question run in the direction of what is typed", async () => {
  await openForm();
  const typed = screen.getAllByRole<HTMLInputElement>("textbox").filter(({ name }) => name !== "website");
  expect(typed.filter(({ dir }) => dir === "auto").map(({ name }) => name)).toEqual(["name", "surname", "message"]);
});

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
    const summary = await screen.findByRole("region", { name: "Please check 4 fields" });
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
    expect(server.posts).not.toHaveBeenCalled();
  });

  it("goes from the summary to the field", async () => {
    const { user, field, submit } = await openForm();
    await submit();
    const summary = await screen.findByRole("region", { name: /Please check/ });
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

  it("checks the phone again when the country changes", async () => {
    const { user, field, submit, fill } = await openForm();
    await fill({ Phone: "416 555 0134" });
    await submit();
    await waitFor(() => expect(errorOf(field("Phone"))).toBe(true));
    await choose(user, "can");
    await waitFor(() => expect(errorOf(field("Phone"))).toBe(false));
  });
});

describe("the country", () => {
  it.each<[string, (form: Awaited<ReturnType<typeof openForm>>) => Promise<void>, string]>([
    ["as chosen", ({ user }) => choose(user, "kaz"), "Country code: Kazakhstan +7"],
    ["beside a number typed for it", ({ fill }) => fill({ Phone: "07911 123456" }), "Country code: UK +44"],
  ])("stays %s, when the guess arrives late", async (_, act, shown) => {
    let respond: (response: Response) => void = () => {};
    server.region = () =>
      new Promise((resolve) => {
        respond = resolve;
      });
    const form = await openForm();
    await act(form);
    respond(Response.json({ country_code: "AU" }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(form.country).toHaveAccessibleName(shown);
  });

  it("is offered when a number is typed with another country's code, and the number is sent with it", async () => {
    const { user, country, submit, fill } = await openForm();
    await fill({ Phone: "+90 532 123 45 67" });
    await user.click(screen.getByRole("button", { name: "Use Türkiye (+90) for this number" }));
    expect(country).toHaveAccessibleName("Country code: Türkiye +90");
    expect(screen.queryByRole("button", { name: /for this number$/ })).toBeNull();
    await submit();
    await waitFor(() => expect(server.posts).toHaveBeenCalled());
    expect(server.posts.mock.calls[0]?.[0]).toMatchObject({ countryCode: "+90", countryIso: "TR" });
  });

  it("opens by typing, moves by arrows and closes by Escape", async () => {
    const { user, country } = await openForm();
    country.focus();
    await user.keyboard("n");
    const search = await findCountrySearch();
    expect(search).toHaveValue("n");
    await user.clear(search);
    await user.keyboard("{Home}{ArrowDown}");
    const active = document.getElementById(search.getAttribute("aria-activedescendant") ?? "");
    expect(active).toHaveTextContent("USA+1");
    await user.keyboard("{Escape}");
    expect(search).not.toBeInTheDocument();
    expect(country).toHaveFocus();
    expect(country).toHaveAccessibleName("Country code: UK +44");
  });
});

describe("the box for news and offers", () => {
  const box = () => screen.getByRole<HTMLInputElement>("checkbox", { name: marketing.text });

  it("is not ticked beforehand, goes along with the version of its wording, and is unticked afterwards", async () => {
    const { user, fill, submit } = await openForm();
    expect(box()).not.toBeChecked();
    expect(box()).not.toBeRequired();
    await fill();
    await user.click(box());
    await submit();
    await waitFor(() => expect(server.posts).toHaveBeenCalled());
    expect(server.posts.mock.calls[0]?.[0]).toMatchObject({
      marketingOptIn: true,
      marketingVersion: marketing.version,
    });
    await waitFor(() => expect(box()).not.toBeChecked());
  });
});

describe("the hidden field of the ad click", () => {
  it("holds the click's id, and keeps it while the form is used", async () => {
    noteArrival({ url: "https://clinic.example/?gclid=G-1", referrer: "", at: new Date() }, "immediate");
    const { user, field, submit } = await openForm();
    const hidden = () => document.querySelector<HTMLInputElement>('input[type="hidden"][name="zc_gad"]');
    expect(hidden()).toHaveValue("G-1");
    await user.type(field("Name"), "A");
    await submit();
    await waitFor(() => expect(errorOf(field("Name"))).toBe(true));
    expect(hidden()).toHaveValue("G-1");
    noteArrival({ url: "https://clinic.example/", referrer: "", at: new Date() }, "immediate");
  });
});

describe("the form before its late chunk has loaded", () => {
  it("keeps what was typed and where the cursor was", async () => {
    vi.stubGlobal("fetch", async () => Response.json({ country_code: null }));
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
