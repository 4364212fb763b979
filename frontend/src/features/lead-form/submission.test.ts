import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import type { Lead } from "@/api/types";
import { leadForm } from "@/content/leadForm";
import { onEvent } from "@/lib/events";
import { ENTRY } from "./entryFixture";
import { StartToken } from "./startToken";
import { leadBody, type Submission, type SubmitResult, submissionFor, submitLead } from "./submission";
import type { LoadedForm } from "./useLeadForm";
import { useSubmission } from "./useSubmission";

const CANADIAN = { ...ENTRY, countryCode: "+1-ca", phone: "416 555 0134" };

describe("the body of a lead", () => {
  it("has every field of the API, which tsc checks; the time of the ad goes as `timestamp`", () => {
    expectTypeOf<Exclude<keyof Lead, keyof Submission["body"]>>().toEqualTypeOf<"adsTimestamp">();
  });

  it("carries the bare calling code and the region beside it", () => {
    expect(leadBody(CANADIAN, "CA")).toMatchObject({
      countryCode: "+1",
      countryIso: "CA",
      phone: "416 555 0134",
    });
  });

  it("leaves empty tracking fields out and the honeypot in", () => {
    const body = leadBody(CANADIAN, "CA");
    expect(body).not.toHaveProperty("googleGclid");
    expect(body).not.toHaveProperty("message");
    expect(body).toMatchObject({ website: "", currentUrl: window.location.href });
    expect(body.sessionId).toBe(sessionStorage.getItem("global_session_id"));
  });
});

describe("a fact about the visit that cannot be read", () => {
  const broken = () => {
    throw new Error("hidden by an extension");
  };

  it.each([
    ["userAgent", () => vi.spyOn(navigator, "userAgent", "get").mockImplementation(broken)],
    ["language", () => vi.spyOn(navigator, "language", "get").mockImplementation(broken)],
    ["timezone", () => vi.spyOn(Intl, "DateTimeFormat").mockImplementation(broken)],
    ["screenResolution", () => vi.spyOn(window, "screen", "get").mockReturnValue(null as never)],
  ])("is left out of the enquiry: %s", (name, breakIt) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    expect(leadBody(CANADIAN, "CA")).toHaveProperty(name);
    breakIt();
    const body = leadBody(CANADIAN, "CA");
    expect(body).not.toHaveProperty(name);
    expect(body).toMatchObject({ name: "Ada", phone: "416 555 0134", currentUrl: window.location.href });
  });
});

describe("the answer to a submission", () => {
  const sent = (response: Response) => {
    vi.stubGlobal("fetch", async (url: string, options: RequestInit) => {
      // Closing the tab right after the press does not lose the enquiry.
      expect(options.keepalive ?? true).toBe(true);
      return url === "/api/leads" ? response.clone() : Response.json({});
    });
    return submitLead(submissionFor(CANADIAN, "CA", null), new StartToken());
  };

  it("is success only when success is true", async () => {
    expect(await sent(Response.json({ success: true, id: "7", reference: "123456" }))).toEqual({
      kind: "sent",
      id: "7",
      reference: "123456",
      call: null,
      withinADay: true,
      details: null,
    });
    expect(await sent(Response.json({ success: "true" }))).toEqual({ kind: "failed" });
    expect(await sent(Response.json({}))).toEqual({ kind: "failed" });
    expect(await sent(Response.json(null))).toEqual({ kind: "failed" });
  });

  it.each([
    ["a captive portal's page", new Response("<html>")],
    ["a blocker's page", new Response("Blocked", { status: 404 })],
    ["a proxy's refusal", new Response("<html>", { status: 502 })],
    ["an error with a code of its own", Response.json({ code: 7 }, { status: 500 })],
  ])("is nobody's when it is %s", async (_, response) => {
    expect(await sent(response)).toEqual({ kind: "unreachable" });
  });

  it("is told apart when there were too many", async () => {
    expect(await sent(new Response("", { status: 429 }))).toEqual({ kind: "limited" });
  });

  it("is a refusal by field on 422, and a failure when no shown field is named", async () => {
    const errors = { json: { email: ["Please enter a valid email address"] } };
    expect(await sent(Response.json({ errors }, { status: 422 }))).toEqual({
      kind: "refused",
      errors: { email: "Please enter a valid email address" },
    });
    const unshown = { code: 422, errors: { json: { timezone: ["Too long"] } } };
    expect(await sent(Response.json(unshown, { status: 422 }))).toEqual({ kind: "failed" });
    expect(await sent(Response.json({ code: 500, errors }, { status: 500 }))).toEqual({ kind: "failed" });
  });
});

describe("after the press", () => {
  const ACCEPTED: SubmitResult = {
    kind: "sent",
    id: "6f1c",
    reference: "123456",
    call: null,
    withinADay: true,
    details: null,
  };
  const never = new Promise<never>(() => {});
  const posted = vi.fn<(values: Record<string, unknown>) => void>();

  beforeEach(() => {
    vi.useFakeTimers();
    posted.mockReset();
    vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(function (this: HTMLFormElement) {
      posted(Object.fromEntries(new FormData(this)));
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The form's code as if it had loaded, with a server that gives these answers one after the other. */
  function loaded(answers: (SubmitResult | Promise<SubmitResult>)[], isSiteThere = true): LoadedForm {
    const chunk = {
      submissionFor: () => ({ key: "k", entered: "", eventId: "e", body: { eventId: "e" } }),
      submitLead: vi.fn(async () => (answers.length > 1 ? answers.shift() : answers[0])),
    };
    const start = {
      isSiteThere: async () => isSiteThere,
      headers: async () => ({ "Start-Token": "signed" }),
    };
    const controls = { validate: async () => CANADIAN, empty: () => {}, refuse: () => {} };
    return { chunk, start, ...controls } as unknown as LoadedForm;
  }

  function open(load: () => Promise<LoadedForm>) {
    document.body.innerHTML = '<form method="post"><input name="key"><input name="start"><input name="visit"></form>';
    const form = { current: document.querySelector("form") };
    const goToThankYou = vi.fn();
    const showToast = vi.fn();
    const parts = { form, words: leadForm, countryIso: () => "GB", showToast, goToThankYou };
    const { result: hook, unmount } = renderHook(() => useSubmission({ load, ...parts }));
    const press = () => act(async () => void hook.current.submit());
    const elapse = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
    return { hook, press, elapse, goToThankYou, showToast, unmount };
  }

  const openWith = (...answers: (SubmitResult | Promise<SubmitResult>)[]) => open(async () => loaded(answers));

  it("leads on 1000 ms after the enquiry was accepted, and not before", async () => {
    const { press, elapse, goToThankYou } = openWith(ACCEPTED);
    await press();
    await elapse(999);
    expect(goToThankYou).not.toHaveBeenCalled();
    await elapse(1);
    expect(goToThankYou).toHaveBeenCalledTimes(1);
  });

  it("does not lead a visitor away who has left the page meanwhile", async () => {
    const { press, elapse, goToThankYou, unmount } = openWith(ACCEPTED);
    await press();
    unmount();
    await elapse(1000);
    expect(goToThankYou).not.toHaveBeenCalled();
  });

  it("leads nowhere after a failure of the server, and sends nothing by itself", async () => {
    const { hook, press, elapse, goToThankYou } = openWith({ kind: "failed" }, ACCEPTED);
    await press();
    await elapse(60_000);
    expect(hook.current.status).toBe("failed");
    expect(goToThankYou).not.toHaveBeenCalled();
    expect(posted).not.toHaveBeenCalled();
  });

  it.each([
    ["the visitor comes back before the thank-you page was shown", () => new PopStateEvent("popstate")],
    ["the browser brings it back", () => Object.assign(new Event("pageshow"), { persisted: true })],
  ])("serves again when %s", async (_, back) => {
    const { hook, press, elapse } = openWith(ACCEPTED);
    await press();
    await elapse(1000);
    act(() => void window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false })));
    expect(hook.current.status).toBe("sent");
    act(() => void window.dispatchEvent(back()));
    expect(hook.current.status).toBe("idle");
    await press();
    expect(hook.current.status).toBe("sent");
  });

  it("is done although a tag fails at the news of it", async () => {
    const stop = onEvent(() => {
      throw new Error("blocked");
    });
    const { hook, press } = openWith(ACCEPTED);
    await press();
    stop();
    expect(hook.current.status).toBe("sent");
  });

  it("waits for the network, says so, and sends by itself when it is back", async () => {
    const { hook, press, elapse, showToast, goToThankYou } = openWith({ kind: "unreachable" }, ACCEPTED);
    await press();
    expect(hook.current.status).toBe("waiting");
    expect(showToast).toHaveBeenCalledTimes(1);
    await act(async () => void window.dispatchEvent(new Event("online")));
    expect(hook.current.status).toBe("sent");
    await elapse(1000);
    expect(goToThankYou).toHaveBeenCalledTimes(1);
  });

  it("tries again at once when the visitor presses meanwhile", async () => {
    const { hook, press } = openWith({ kind: "unreachable" }, ACCEPTED);
    await press();
    expect(hook.current.status).toBe("waiting");
    await press();
    expect(hook.current.status).toBe("sent");
  });

  it("keeps waiting while nobody answers, and never lets the browser leave the page", async () => {
    const { hook, press, elapse } = open(async () => loaded([{ kind: "unreachable" }], false));
    await press();
    await elapse(600_000);
    expect(hook.current.status).toBe("waiting");
    expect(posted).not.toHaveBeenCalled();
  });

  it("lets the browser post the form, under the same key, where only this request does not get through", async () => {
    const { press, elapse } = openWith({ kind: "unreachable" });
    await press();
    await elapse(2000 + 4999);
    expect(posted).not.toHaveBeenCalled();
    await elapse(1);
    expect(posted).toHaveBeenCalledExactlyOnceWith({ key: "k", start: "signed", visit: '{"eventId":"e"}' });
  });

  it("takes 20 s without an answer for a lost network", async () => {
    const { hook, press, elapse } = open(async () => loaded([never, ACCEPTED], false));
    await press();
    await elapse(19_999);
    expect(hook.current.status).toBe("sending");
    await elapse(1);
    expect(hook.current.status).toBe("waiting");
    await elapse(2000);
    expect(hook.current.status).toBe("sent");
  });

  it("lets the browser post the form at once where only this request hung", async () => {
    const { press, elapse } = openWith(never);
    await press();
    await elapse(20_000);
    expect(posted).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["never comes", () => never, 8000],
    ["cannot be fetched", () => Promise.reject(new Error("404")), 0],
  ])("lets the browser post the form when its code %s", async (_, load, ms) => {
    const { hook, press, elapse } = open(load);
    await press();
    await elapse(Math.max(0, ms - 1));
    expect(posted).toHaveBeenCalledTimes(ms ? 0 : 1);
    await elapse(1);
    expect(posted).toHaveBeenCalledTimes(1);
    expect(posted.mock.calls[0]?.[0].key).toMatch(/^[\w-]{36}$/);
    expect(hook.current.status).toBe("sending");
  });
});
