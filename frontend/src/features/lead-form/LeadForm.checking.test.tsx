import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { choose, errorOf, openForm, type Server, startServer } from "./formFixture";

let server: Server;

beforeEach(async () => {
  server = await startServer();
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
    expect(server.posts).not.toHaveBeenCalled();
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
