import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { enhance, followForms, PATIENCE_MS, postNatively } from "./nativeForm";

const posted = vi.fn<(values: Record<string, unknown>) => void>();
const answered = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  posted.mockReset();
  answered.mockReset();
  vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(function (this: HTMLFormElement) {
    posted(Object.fromEntries(new FormData(this)));
  });
  followForms();
});
afterEach(() => {
  vi.useRealTimers();
});

function page(around = (form: string) => form) {
  document.body.innerHTML = around(
    `<form method="post"><input name="name" value="Ada"><input name="submit" value="a field of that name">
     <input type="hidden" name="key"><input type="hidden" name="start"><input type="hidden" name="visit">
     <button>Send</button></form>`,
  );
  const form = document.querySelector("form") as HTMLFormElement;
  // As React does it.
  form.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) {
      event.preventDefault();
      answered();
    }
  });
  return { form, button: form.querySelector("button") as HTMLButtonElement };
}

it("keeps a press until React handles the form, and presses once more then", () => {
  const { form, button } = page();
  button.click();
  button.click();
  vi.advanceTimersByTime(5000);
  expect(answered).not.toHaveBeenCalled();
  expect(button.dataset.kept).toBe("");
  enhance(form);
  vi.advanceTimersByTime(100);
  expect(answered).toHaveBeenCalledTimes(1);
  expect(button.dataset.kept).toBeUndefined();
  expect(posted).not.toHaveBeenCalled();
  button.click();
  expect(answered).toHaveBeenCalledTimes(2);
});

it("lets the browser post the form when React does not come, with a key and the visit", () => {
  const { button } = page();
  button.click();
  vi.advanceTimersByTime(PATIENCE_MS - 100);
  expect(posted).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(posted).toHaveBeenCalledTimes(1);
  const [values] = posted.mock.calls[0] ?? [];
  expect(values).toMatchObject({ name: "Ada", start: "" });
  expect(values?.key).toMatch(/^[\w-]{36}$/);
  expect(JSON.parse(String(values?.visit))).toMatchObject({ currentUrl: window.location.href });
});

it("does not hold up a press where hydration has failed", () => {
  const { form } = page((html) => `<div data-hydration-failed>${html}</div>`);
  const event = new SubmitEvent("submit", { bubbles: true, cancelable: true });
  form.addEventListener("submit", (reached) => expect(reached.defaultPrevented).toBe(false), {
    capture: true,
  });
  form.dispatchEvent(event);
  expect(new FormData(form).get("key")).toMatch(/^[\w-]{36}$/);
});

it("leaves presses to React once it handles the form, and keeps them again when it no longer does", () => {
  const { form, button } = page();
  const undo = enhance(form);
  button.click();
  expect(answered).toHaveBeenCalledTimes(1);
  undo();
  button.click();
  expect(answered).toHaveBeenCalledTimes(1);
});

it("posts under the key that React has used, so that both are one enquiry", () => {
  const { form } = page();
  postNatively(form, { key: "k-1", start: "signed", body: { eventId: "e" } });
  expect(posted.mock.calls[0]?.[0]).toMatchObject({ key: "k-1", start: "signed", visit: '{"eventId":"e"}' });
});
