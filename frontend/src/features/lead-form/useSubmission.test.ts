import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LeadEntry } from "./schema";
import type { SubmitResult } from "./submitLead";
import type { LoadedForm } from "./useEngine";
import { useSubmission } from "./useSubmission";

const ENTRY = { name: "Ada" } as LeadEntry;

/** The form's code as if it had come, with a server that answers `result`. */
function loaded(result: SubmitResult): LoadedForm {
  const chunk = {
    submissionFor: () => ({ key: "k", entered: "", eventId: "e", body: {} }),
    submitLead: async () => result,
  };
  const engine = { validate: async () => ENTRY, reset: () => {} };
  return { chunk, engine } as unknown as LoadedForm;
}

async function send(result: SubmitResult) {
  const goToThankYou = vi.fn();
  const parts = { countryIso: () => "GB", showToast: vi.fn(), goToThankYou };
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
  const { goToThankYou } = await send(ACCEPTED);
  vi.advanceTimersByTime(999);
  expect(goToThankYou).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(goToThankYou).toHaveBeenCalledTimes(1);
});

it("does not lead a visitor away who has left the page meanwhile", async () => {
  const { goToThankYou, unmount } = await send(ACCEPTED);
  unmount();
  vi.advanceTimersByTime(1000);
  expect(goToThankYou).not.toHaveBeenCalled();
});

it("leads nowhere after a failure", async () => {
  const { goToThankYou } = await send({ kind: "failed" });
  vi.advanceTimersByTime(10_000);
  expect(goToThankYou).not.toHaveBeenCalled();
});
