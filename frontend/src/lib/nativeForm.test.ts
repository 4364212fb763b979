import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { followForms, postNatively, TAKE_OVER_MS, takeOver } from "./nativeForm";

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
  // As the app does it.
  form.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) {
      event.preventDefault();
      answered();
    }
  });
  return { form, button: form.querySelector("button") as HTMLButtonElement };
}

it("keeps a press until the app takes the form over, and presses once more then", () => {
  const { form, button } = page();
  button.click();
  button.click();
  vi.advanceTimersByTime(5000);
  expect(answered).not.toHaveBeenCalled();
  expect(button.dataset.kept).toBe("");
  takeOver(form);
  vi.advanceTimersByTime(100);
  expect(answered).toHaveBeenCalledTimes(1);
  expect(button.dataset.kept).toBeUndefined();
  expect(posted).not.toHaveBeenCalled();
  button.click();
  expect(answered).toHaveBeenCalledTimes(2);
});

it("posts the form the browser's own way when the app does not come, with a key and the visit", () => {
  const { button } = page();
  button.click();
  vi.advanceTimersByTime(TAKE_OVER_MS - 100);
  expect(posted).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(posted).toHaveBeenCalledTimes(1);
  const [values] = posted.mock.calls[0] ?? [];
  expect(values).toMatchObject({ name: "Ada", start: "" });
  expect(values?.key).toMatch(/^[\w-]{36}$/);
  expect(JSON.parse(String(values?.visit))).toMatchObject({ currentUrl: window.location.href });
});

it("does not hold up a press where the app has given up", () => {
  const { form } = page((html) => `<div data-kept-as-painted>${html}</div>`);
  const event = new SubmitEvent("submit", { bubbles: true, cancelable: true });
  form.addEventListener("submit", (reached) => expect(reached.defaultPrevented).toBe(false), {
    capture: true,
  });
  form.dispatchEvent(event);
  expect(new FormData(form).get("key")).toMatch(/^[\w-]{36}$/);
});

it("leaves the app's own presses alone once it has the form, and keeps them again when it gives it back", () => {
  const { form, button } = page();
  const giveBack = takeOver(form);
  button.click();
  expect(answered).toHaveBeenCalledTimes(1);
  giveBack();
  button.click();
  expect(answered).toHaveBeenCalledTimes(1);
});

it("posts under the key that the app has used, so that both are one enquiry", () => {
  const { form } = page();
  postNatively(form, { key: "k-1", start: "signed", body: { eventId: "e" } });
  expect(posted.mock.calls[0]?.[0]).toMatchObject({ key: "k-1", start: "signed", visit: '{"eventId":"e"}' });
});
