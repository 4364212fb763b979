/**
 * Forms that work without any script: the browser posts them to our server, which answers with a page. The app takes a
 * form over once it can send it itself. A press before that is kept for a few seconds; then, or when it is certain that the
 * app will not come, the form goes the browser's own way.
 */
import { randomId } from "./ids";
import { storedConsentFields } from "./storedConsent";
import { describeVisit } from "./visit";

/** A visitor who pressed waits no longer for the app. */
export const TAKE_OVER_MS = 8000;
const LOOK_MS = 50;

/** Of a form that the app could not take over, or of the page. */
const DEAD = "[data-kept-as-painted]";

const taken = new WeakSet<HTMLFormElement>();
const pressed = new WeakMap<HTMLFormElement, number>();

/** The app answers this form's presses from now on. Returns a function to give it back. */
export function takeOver(form: HTMLFormElement): () => void {
  taken.add(form);
  return () => taken.delete(form);
}

/** How long a visitor who has pressed still waits for the app's code, in milliseconds. */
export function patienceLeft(form: HTMLFormElement): number {
  return Math.max(0, (pressed.get(form) ?? Date.now()) + TAKE_OVER_MS - Date.now());
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

/** Posts the form as it stands, the browser's own way. */
export function postNatively(form: HTMLFormElement, prepared?: Prepared): void {
  fillHidden(form, prepared);
  // Not form.submit: a field of that name would be in its place.
  HTMLFormElement.prototype.submit.call(form);
}

function keepPress(form: HTMLFormElement, button: HTMLElement | null): void {
  if (pressed.has(form)) {
    return;
  }
  pressed.set(form, Date.now());
  if (button) {
    button.dataset.kept = "";
  }
  const look = setInterval(() => {
    const ready = taken.has(form);
    if (!ready && patienceLeft(form) > 0 && !form.closest(DEAD)) {
      return;
    }
    clearInterval(look);
    if (button) {
      delete button.dataset.kept;
    }
    if (ready) {
      form.requestSubmit(button);
      pressed.delete(form);
    } else if (form.isConnected) {
      postNatively(form);
    }
  }, LOOK_MS);
}

function onSubmit(event: SubmitEvent): void {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== "post" || taken.has(form)) {
    return;
  }
  if (form.closest(DEAD)) {
    fillHidden(form);
    return;
  }
  event.preventDefault();
  keepPress(form, event.submitter);
}

/** Coming back to a page whose form was posted: it may be pressed again. */
function onShow({ persisted }: PageTransitionEvent): void {
  for (const form of persisted ? document.forms : []) {
    pressed.delete(form);
  }
}

/** Keeps the presses of forms that the app has not taken over yet. May be called again. */
export function followForms(): void {
  window.addEventListener("submit", onSubmit, { capture: true });
  window.addEventListener("pageshow", onShow);
}

/** The app will not run on this page: no press waits for it. */
export function giveUpForms(): void {
  document.documentElement.dataset.keptAsPainted = "";
}
