/**
 * Forms that work without any script: the browser posts them to our server, which answers with a page. React enhances a form
 * once it can send it itself. A press before that is kept for a few seconds; then, or when it is certain that React will not
 * handle it, the browser posts the form.
 */
import { randomId } from "./ids";
import { storedConsentFields } from "./storedConsent";
import { describeVisit } from "./visit";

/** How long a visitor who has pressed waits for React. */
export const PATIENCE_MS = 8000;
const LOOK_MS = 50;

/** The form, or all of the page, failed to hydrate. */
const NOT_HYDRATED = "[data-hydration-failed]";

const enhanced = new WeakSet<HTMLFormElement>();
const submittedAt = new WeakMap<HTMLFormElement, number>();

/** React handles submit from here on. Returns a function that undoes it. */
export function enhance(form: HTMLFormElement): () => void {
  enhanced.add(form);
  return () => enhanced.delete(form);
}

/** How long a visitor who has pressed still waits for the app's code, in milliseconds. */
export function patienceLeft(form: HTMLFormElement): number {
  return Math.max(0, (submittedAt.get(form) ?? Date.now()) + PATIENCE_MS - Date.now());
}

/** What the app would have sent: the same key makes both ways one enquiry. */
export interface Prepared {
  key: string;
  /** The start token; "" without one. */
  start: string;
  body: object;
}

function fill(form: HTMLFormElement, name: string, value: string): void {
  const input = form.elements.namedItem(name);
  if (input instanceof HTMLInputElement) {
    input.value = value;
  }
}

/** What the script adds to a form that the browser posts: its key, and where the visitor came from. */
function fillHidden(form: HTMLFormElement, prepared?: Prepared): void {
  fill(form, "key", prepared?.key ?? randomId());
  fill(form, "start", prepared?.start ?? "");
  fill(form, "visit", JSON.stringify(prepared?.body ?? { ...describeVisit(), ...storedConsentFields() }));
}

/** Lets the browser post the form as it stands. */
export function postNatively(form: HTMLFormElement, prepared?: Prepared): void {
  fillHidden(form, prepared);
  // Not form.submit: a field of that name would be in its place.
  HTMLFormElement.prototype.submit.call(form);
}

function keepPress(form: HTMLFormElement, button: HTMLElement | null): void {
  if (submittedAt.has(form)) {
    return;
  }
  submittedAt.set(form, Date.now());
  if (button) {
    button.dataset.kept = "";
  }
  const look = setInterval(() => {
    const ready = enhanced.has(form);
    if (!ready && patienceLeft(form) > 0 && !form.closest(NOT_HYDRATED)) {
      return;
    }
    clearInterval(look);
    if (button) {
      delete button.dataset.kept;
    }
    if (ready) {
      form.requestSubmit(button);
      submittedAt.delete(form);
    } else if (form.isConnected) {
      postNatively(form);
    }
  }, LOOK_MS);
}

function onSubmit(event: SubmitEvent): void {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== "post" || enhanced.has(form)) {
    return;
  }
  if (form.closest(NOT_HYDRATED)) {
    fillHidden(form);
    return;
  }
  event.preventDefault();
  keepPress(form, event.submitter);
}

/** Coming back to a page whose form was posted: it may be pressed again. */
function onShow({ persisted }: PageTransitionEvent): void {
  for (const form of persisted ? document.forms : []) {
    submittedAt.delete(form);
  }
}

/** Keeps the presses of forms that React does not handle yet. May be called again. */
export function followForms(): void {
  window.addEventListener("submit", onSubmit, { capture: true });
  window.addEventListener("pageshow", onShow);
}

/** The app will not run on this page: no press waits for it. */
export function giveUpForms(): void {
  document.documentElement.dataset.hydrationFailed = "";
}
