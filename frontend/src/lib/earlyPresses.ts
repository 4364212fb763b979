/**
 * Presses of buttons that the app cannot answer yet: it does not run, or the part of the page has no code yet. React
 * stops such a click on its way down and forgets it. Here the button is kept, and pressed again until the click gets
 * through. A form's own button is lib/nativeForm.ts's.
 */
const BUTTONS = "#root button:not([type=submit])";
const RETRY_MS = 50;
/** After this long the visitor no longer waits for what was pressed. */
const KEPT_MS = 15_000;

let running = false;
let pressing = false;
/** The last click that was not stopped. */
let through: Event | null = null;
/** Pressed buttons, and until when they are kept. */
const kept = new Map<HTMLButtonElement, number>();

function letGo(button: HTMLButtonElement): void {
  kept.delete(button);
  delete button.dataset.kept;
}

function keep(button: HTMLButtonElement): void {
  if (!kept.has(button)) {
    kept.set(button, Date.now() + KEPT_MS);
    button.dataset.kept = "";
    if (running && kept.size === 1) {
      setTimeout(pressAgain, RETRY_MS);
    }
  }
}

function pressAgain(): void {
  for (const [button, until] of [...kept]) {
    through = null;
    pressing = true;
    button.click();
    pressing = false;
    if (through !== null || Date.now() > until || !button.isConnected) {
      letGo(button);
    }
  }
  if (kept.size > 0) {
    setTimeout(pressAgain, RETRY_MS);
  }
}

/** Starts to watch the page's buttons, before the app runs. */
export function keepEarlyPresses(): void {
  const onWayDown = (event: Event) => {
    const button = event.target instanceof Element && event.target.closest<HTMLButtonElement>(BUTTONS);
    if (button && !pressing) {
      // After the event, because React may hydrate the part in the midst of it.
      setTimeout(() => !(running && through === event) && keep(button));
    }
  };
  const onWayUp = (event: Event) => {
    through = event;
  };
  window.addEventListener("click", onWayDown, { capture: true });
  window.addEventListener("click", onWayUp);
}

/** The app runs: what was pressed before is pressed again. */
export function answerEarlyPresses(): void {
  running = true;
  pressAgain();
}
