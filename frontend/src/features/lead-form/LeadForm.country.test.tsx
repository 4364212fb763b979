import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { choose, openForm, type Server, startServer } from "./formFixture";

let server: Server;

beforeEach(async () => {
  server = await startServer();
});

describe("the country", () => {
  it("is guessed from the address", async () => {
    server.region = () => Response.json({ country_code: "CA" });
    const { country } = await openForm();
    await waitFor(() => expect(country).toHaveAccessibleName("Country code: CAN +1"));
  });

  it("stays as chosen when the guess arrives late", async () => {
    let tell: (response: Response) => void = () => {};
    server.region = () =>
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
    await waitFor(() => expect(server.posts).toHaveBeenCalled());
    expect(server.posts.mock.calls[0]?.[0]).toMatchObject({ countryCode: "+7", countryIso: "KZ" });
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
