/** The visitor's input of any kind: the first one starts the app, and each ends whatever scrolls by itself. */
const KINDS = ["pointerdown", "touchstart", "keydown", "wheel"] as const;

let seen = false;

/** Calls `then` at the next input, once. The returned function forgets it. */
export function atNextInput(then: () => void): () => void {
  const forget = () => {
    for (const kind of KINDS) {
      window.removeEventListener(kind, onInput, { capture: true });
    }
  };
  function onInput(): void {
    forget();
    seen = true;
    then();
  }
  for (const kind of KINDS) {
    window.addEventListener(kind, onInput, { capture: true, passive: true });
  }
  return forget;
}

/** Whether the visitor has scrolled the page already: nobody else does before the app runs. */
export function hasScrolled(): boolean {
  return seen && window.scrollY > 0;
}

/** For tests only: as if the page had just been loaded. */
export function forgetInputs(): void {
  seen = false;
}
