import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { complaint } from "#content/complaint.yaml";
import { Toasts } from "@/components/Toasts";
import { ComplaintBlock } from "@/sections/complaint/ComplaintBlock";

const STORED = { success: true, reference: "C-0000001" };
const fetching = vi.fn<typeof fetch>();

beforeEach(() => {
  fetching.mockReset();
  vi.stubGlobal("fetch", fetching);
});

const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const send = () => screen.getByRole("button", { name: complaint.form.submit });

async function open() {
  const user = userEvent.setup();
  render(
    <MemoryRouter>
      <Toasts page="/data-complaint">
        <ComplaintBlock words={complaint} />
      </Toasts>
    </MemoryRouter>,
  );
  const fill = async () => {
    await user.type(field("Name"), "Ada Example");
    await user.type(field("Email"), " ada@example.com ");
    await user.type(field("What happened?"), "I asked for my data.");
  };
  return { user, fill };
}

describe("the form for data complaints", { timeout: 15_000 }, () => {
  it("shows errors as the enquiry form does: after the first press, with focus on the first", async () => {
    const { user } = await open();
    await user.tab();
    expect(screen.queryByText("Name must be at least 2 characters")).toBeNull();
    await user.click(send());
    await waitFor(() => expect(field("Name")).toHaveFocus());
    expect(field("Name")).toHaveAccessibleDescription("Name must be at least 2 characters");
    expect(field("Email")).toHaveAccessibleDescription(/Please enter a valid email address/);
    expect(field("What happened?")).toHaveAccessibleDescription(/Please tell us what happened/);
    expect(screen.getByText("Please check 3 fields")).toBeVisible();
    expect(fetching).not.toHaveBeenCalled();
  });

  it("shows the reference and what happens next once the complaint is stored", async () => {
    fetching.mockImplementation(async () => Response.json(STORED, { status: 201 }));
    const { user, fill } = await open();
    await fill();
    await user.dblClick(send());
    const heading = await screen.findByRole("heading", { name: complaint.received.title });
    expect(heading).toHaveFocus();
    expect(screen.getByText("C-0000001")).toBeVisible();
    expect(screen.getByText("You hear from us within 30 days")).toBeVisible();
    expect(fetching).toHaveBeenCalledTimes(1);
    const [url, options] = fetching.mock.calls[0] ?? [];
    expect(url).toBe("/api/complaints");
    expect(JSON.parse(String(options?.body))).toEqual({
      name: "Ada Example",
      email: "ada@example.com",
      text: "I asked for my data.",
      website: "",
    });
  });

  it("counts with what a password manager wrote without an event", async () => {
    fetching.mockImplementation(async () => Response.json(STORED, { status: 201 }));
    const { user, fill } = await open();
    await fill();
    field("Name").value = "Grace Example";
    await user.click(send());
    await screen.findByText("C-0000001");
    expect(JSON.parse(String(fetching.mock.calls[0]?.[1]?.body))).toMatchObject({ name: "Grace Example" });
  });

  it("keeps everything when the server is unreachable, and can be sent again", async () => {
    fetching.mockRejectedValueOnce(new TypeError("no network"));
    fetching.mockImplementation(async () => Response.json(STORED, { status: 201 }));
    const { user, fill } = await open();
    await fill();
    await user.click(send());
    expect(await screen.findByText(complaint.form.failure.toast.description)).toBeInTheDocument();
    expect(field("What happened?")).toHaveValue("I asked for my data.");
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("C-0000001")).toBeVisible();
  });

  it("shows what the server refused at its field", async () => {
    const errors = { json: { email: ["Please enter a valid email address"] } };
    fetching.mockImplementation(async () => Response.json({ code: 422, errors }, { status: 422 }));
    const { user, fill } = await open();
    await fill();
    await user.click(send());
    await waitFor(() => expect(field("Email")).toHaveFocus());
    expect(field("Email")).toHaveAccessibleDescription(/Please enter a valid email address/);
  });

  it("does not take an answer without `success` for a success", async () => {
    fetching.mockImplementation(async () => Response.json({ reference: "C-0000001" }));
    const { user, fill } = await open();
    await fill();
    await user.click(send());
    expect(await screen.findByRole("alert")).toHaveTextContent(complaint.form.failure.text);
  });
});
