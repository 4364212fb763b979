import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import type { Lead } from "@/api/types";
import { refusedFields } from "@/components/form/validation";
import { leadForm } from "@/content/leadForm";
import { HttpError } from "@/lib/request";
import type { LeadEntry } from "./schema";
import { forgetStart } from "./startToken";
import { leadBody, type Submission, type SubmitResult, submissionFor, submitLead } from "./submission";
import type { LoadedForm } from "./useFormController";
import { useSubmission } from "./useSubmission";

const ENTRY: LeadEntry = {
  name: "Ada",
  surname: "Example",
  email: "ada@example.com",
  countryCode: "+1-ca",
  phone: "416 555 0134",
  message: "",
  marketing: false,
  website: "",
  zc_gad: "",
};

describe("the body of a lead", () => {
  it("has every field of the API, which tsc checks; the time of the ad goes as `timestamp`", () => {
    expectTypeOf<Exclude<keyof Lead, keyof Submission["body"]>>().toEqualTypeOf<"adsTimestamp">();
  });

  it("carries the bare calling code and the region beside it", () => {
    expect(leadBody(ENTRY, "CA")).toMatchObject({
      countryCode: "+1",
      countryIso: "CA",
      phone: "416 555 0134",
    });
  });

  it("leaves empty tracking fields out and the honeypot in", () => {
    const body = leadBody(ENTRY, "CA");
    expect(body).not.toHaveProperty("googleGclid");
    expect(body).not.toHaveProperty("message");
    expect(body).toMatchObject({ website: "", currentUrl: window.location.href });
    expect(body.sessionId).toBe(sessionStorage.getItem("global_session_id"));
  });
});

describe("the box for news and offers", () => {
  it("goes along with its wording's version when it is ticked, and is absent otherwise", () => {
    expect(leadBody({ ...ENTRY, marketing: "2026-11-21" }, "CA")).toMatchObject({
      marketingOptIn: true,
      marketingVersion: "2026-11-21",
    });
    const body = leadBody(ENTRY, "CA");
    expect(body).not.toHaveProperty("marketing");
    expect(body).not.toHaveProperty("marketingOptIn");
  });
});

describe("the submission of an entry", () => {
  it("keeps its key and body while the entry is unchanged", () => {
    const first = submissionFor(ENTRY, "CA", null);
    expect(submissionFor({ ...ENTRY }, "CA", first)).toBe(first);
  });

  it("gets a new key when anything changed", () => {
    const first = submissionFor(ENTRY, "CA", null);
    expect(submissionFor({ ...ENTRY, message: "?" }, "CA", first).key).not.toBe(first.key);
    expect(submissionFor(ENTRY, "US", first).key).not.toBe(first.key);
  });
});

describe("sending a submission", () => {
  const options = async (message: string) => {
    const { body } = submissionFor({ ...ENTRY, message }, "CA", null);
    const fetching = vi.fn<typeof fetch>(async () => Response.json({ success: true }));
    forgetStart();
    vi.stubGlobal("fetch", fetching);
    await submitLead({ key: "k", body });
    return fetching.mock.calls.find(([url]) => url === "/api/leads")?.[1];
  };

  it("goes on when the tab is closed right after the press", async () => {
    expect(await options("ş".repeat(5000))).toMatchObject({
      method: "POST",
      keepalive: true,
    });
  });

  it("is sent plainly when it is too large for that", async () => {
    expect((await options("x".repeat(61_440)))?.keepalive).toBe(false);
  });
});

describe("the answer to a submission", () => {
  const sent = (response: Response) => {
    forgetStart();
    vi.stubGlobal("fetch", async (url: string) => (url === "/api/leads" ? response : Response.json({})));
    return submitLead(submissionFor(ENTRY, "CA", null));
  };

  it("is success only when success is true", async () => {
    expect(await sent(Response.json({ success: true, id: "7", reference: "123456" }))).toEqual({
      kind: "sent",
      id: "7",
      reference: "123456",
    });
    expect(await sent(Response.json({ success: "true" }))).toEqual({ kind: "failed" });
    expect(await sent(Response.json({}))).toEqual({ kind: "failed" });
    expect(await sent(new Response("<html>"))).toEqual({ kind: "failed" });
    expect(await sent(Response.json(null))).toEqual({ kind: "failed" });
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
    expect(await sent(new Response("odd", { status: 422 }))).toEqual({ kind: "failed" });
    expect(await sent(Response.json({ errors }, { status: 500 }))).toEqual({ kind: "failed" });
  });

  it("shows only fields that the form has", () => {
    const refusal = new HttpError(422, "", '{"errors":{"json":{"timezone":["Too long"]}}}');
    expect(refusedFields(refusal, ["name"])).toEqual({});
  });
});

describe("after the press", () => {
  /** The form's code as if it had loaded, with a server that answers `result`. */
  function loaded(result: SubmitResult | Promise<SubmitResult>): LoadedForm {
    const chunk = {
      submissionFor: () => ({ key: "k", entered: "", eventId: "e", body: {} }),
      submitLead: async () => result,
    };
    const controller = { validate: async () => ENTRY, reset: () => {} };
    return { chunk, controller } as unknown as LoadedForm;
  }

  async function press(result: SubmitResult) {
    const goToThankYou = vi.fn();
    const parts = { words: leadForm, countryIso: () => "GB", showToast: vi.fn(), goToThankYou };
    const { result: hook, unmount } = renderHook(() =>
      useSubmission({ load: async () => loaded(result), ...parts }),
    );
    await act(() => hook.current.submit());
    return { goToThankYou, unmount };
  }

  const ACCEPTED: SubmitResult = { kind: "sent", id: "6f1c", reference: "123456" };

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("leads on 1000 ms after the enquiry was accepted, and not before", async () => {
    const { goToThankYou } = await press(ACCEPTED);
    vi.advanceTimersByTime(999);
    expect(goToThankYou).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(goToThankYou).toHaveBeenCalledTimes(1);
  });

  it("does not lead a visitor away who has left the page meanwhile", async () => {
    const { goToThankYou, unmount } = await press(ACCEPTED);
    unmount();
    vi.advanceTimersByTime(1000);
    expect(goToThankYou).not.toHaveBeenCalled();
  });

  const never = new Promise<never>(() => {});

  it.each([
    ["the server never answers", async () => loaded(never)],
    ["the form's code never arrives", () => never],
  ])("is over after 20 s when %s", async (_, load) => {
    const showToast = vi.fn();
    const parts = { words: leadForm, countryIso: () => "GB", showToast, goToThankYou: vi.fn() };
    const { result: hook } = renderHook(() => useSubmission({ load, ...parts }));
    act(() => void hook.current.submit());
    await act(() => vi.advanceTimersByTimeAsync(19_999));
    expect(hook.current.status).toBe("sending");
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(hook.current.status).toBe("failed");
    expect(showToast).toHaveBeenCalledTimes(1);
  });

  it("leads nowhere after a failure", async () => {
    const { goToThankYou } = await press({ kind: "failed" });
    vi.advanceTimersByTime(10_000);
    expect(goToThankYou).not.toHaveBeenCalled();
  });
});
