import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { MemoryRouter } from "react-router-dom";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Details } from "@/lib/details";
import { keepDrafts } from "@/lib/draft";
import { ThankYouPage } from "@/pages/ThankYouPage";

const DETAILS: Details = {
  token: "signed",
  interest: null,
  slots: [
    { until: "2026-11-24T12:00:00Z", day: "Today", time: "07:00–11:00" },
    { until: "2026-11-24T16:00:00Z", day: "Today", time: "11:00–16:00" },
  ],
  zone: "your time",
};
const bodies = vi.fn<(body: Record<string, unknown>) => Promise<Response>>();

beforeEach(() => {
  sessionStorage.clear();
  bodies.mockReset().mockImplementation(async () => Response.json({ success: true, call: null }, { status: 201 }));
  vi.stubGlobal("fetch", (_url: string, options: RequestInit) => bodies(JSON.parse(String(options.body))));
});

async function show(search = "", state: object | null = null) {
  const page = render(
    <MemoryRouter initialEntries={[{ pathname: "/thank-you", search, state }]}>
      <Suspense>
        <ThankYouPage />
      </Suspense>
    </MemoryRouter>,
  );
  await screen.findByRole("heading", { level: 1 });
  return page;
}

async function open(details: Partial<Details> = {}) {
  const receipt = { reference: "123456", firstName: "Ada", call: "At ten." };
  const address = `?reference=123456&details=${"a".repeat(32)}.${"b".repeat(24)}`;
  const page = await show(address, { ...receipt, details: { ...DETAILS, ...details } });
  return Object.assign(userEvent.setup(), page);
}

const group = (name: RegExp) => within(screen.getByRole("group", { name }));
const sent = () => bodies.mock.calls.map(([body]) => body);

describe("what a visitor adds after sending", () => {
  it("is sent tap by tap, and said to be saved", async () => {
    const user = await open();
    await user.click(group(/What can we help with/).getByRole("radio", { name: "I don't know yet" }));
    await user.click(group(/already have/).getByRole("checkbox", { name: "An X-ray" }));
    await user.click(group(/already have/).getByRole("checkbox", { name: "Photos" }));
    await user.click(group(/already have/).getByRole("checkbox", { name: "An X-ray" }));
    await screen.findByText(/^Saved\./);
    expect(screen.getByText("Saved").closest("label")).toHaveTextContent("An X-ray");
    expect(sent()).toEqual([
      { token: "signed", interest: "unknown" },
      { token: "signed", interest: "unknown", has: ["xray"] },
      { token: "signed", interest: "unknown", has: ["xray", "photos"] },
      { token: "signed", interest: "unknown", has: ["photos"] },
    ]);
  });

  it("changes the hour of the call that the page names", async () => {
    bodies.mockImplementation(async () =>
      Response.json({ success: true, call: { text: "As you asked: at two.", withinADay: true } }, { status: 201 }),
    );
    const user = await open();
    const times = group(/When should we call\? \(your time\)/);
    expect(times.getByRole("radio", { name: "As soon as you can" })).toBeChecked();
    await user.click(times.getByRole("radio", { name: "Today 11:00–16:00" }));
    expect(await screen.findByText("As you asked: at two.")).toBeInTheDocument();
    expect(screen.queryByText("At ten.")).toBeNull();
    expect(sent()).toEqual([
      {
        token: "signed",
        callUntil: "2026-11-24T16:00:00Z",
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
    ]);
  });

  it("sends with the next tap what could not be saved, and says so meanwhile", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    bodies.mockImplementationOnce(() => Promise.reject(new TypeError("no network")));
    const user = await open();
    await user.click(group(/What can we help with/).getByRole("radio", { name: "I don't know yet" }));
    await screen.findByText(/^Not saved/);
    await user.click(group(/already have/).getByRole("checkbox", { name: "Photos" }));
    await screen.findByText(/^Saved\./);
    expect(sent().at(-1)).toEqual({ token: "signed", interest: "unknown", has: ["photos"] });
  });

  it("sends one answer after the other", async () => {
    let answer: (response: Response) => void = () => {};
    bodies.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    const user = await open();
    await user.click(group(/already have/).getByRole("checkbox", { name: "Photos" }));
    await user.click(group(/already have/).getByRole("checkbox", { name: "An X-ray" }));
    expect(sent()).toHaveLength(1);
    answer(Response.json({ success: true, call: null }));
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent().at(-1)).toEqual({ token: "signed", has: ["xray", "photos"] });
  });

  it("does not ask for what the page of the treatment said", async () => {
    await open({ interest: "All-on-4" });
    expect(screen.queryByRole("group", { name: /What can we help with/ })).toBeNull();
    expect(screen.getByText("Your enquiry is about All-on-4.")).toBeInTheDocument();
  });

  it("is shown again after a reload", async () => {
    keepDrafts();
    const user = await open();
    await user.click(screen.getByRole("checkbox", { name: "Photos" }));
    await user.click(screen.getByRole("radio", { name: "Today 11:00–16:00" }));
    user.unmount();
    await open();
    expect(screen.getByRole("checkbox", { name: "Photos" })).toBeChecked();
    expect(screen.getByRole("checkbox", { name: "An X-ray" })).not.toBeChecked();
    expect(screen.getByRole("radio", { name: "Today 11:00–16:00" })).toBeChecked();
  });

  it("is not asked for where nothing was sent", async () => {
    await show();
    expect(screen.queryByText("Help us prepare your call")).toBeNull();
  });

  it.each([
    [`?reference=123456&details=${"a".repeat(32)}.${"b".repeat(24)}`, /^\(Istanbul time\)$/],
    ["?reference=123456&details=saved", /We have noted your answers/],
  ])("is known from an address where nothing could be kept (%s)", async (address, words) => {
    await show(address);
    expect(screen.getByText(words)).toBeInTheDocument();
  });
});
