import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import { describe, expect, it, vi } from "vitest";
import { leadForm } from "@/content/leadForm";
import { noteArrival } from "@/lib/attribution";
import { errorOf, openForm, startServer } from "./formFixture";
import { LeadForm } from "./LeadForm";

describe("the hidden field of the ad click", () => {
  it("holds the click's id, and keeps it while the form is used", async () => {
    await startServer();
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

describe("the form before its rules arrive", () => {
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
