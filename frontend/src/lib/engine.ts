/**
 * Whether this browser has what the app is built for: Chrome and Edge 105, Firefox 110, Safari 16.4 (all since spring 2023)
 * and newer. An older one keeps the page as it was painted, with links and a form that need no script. Older ones still
 * cannot read this file at all, with the same result: nothing starts halfway.
 */
export function canRunApp(): boolean {
  return (
    typeof AbortSignal.timeout === "function" &&
    typeof Object.hasOwn === "function" &&
    typeof Array.prototype.at === "function" &&
    "requestSubmit" in HTMLFormElement.prototype &&
    "IntersectionObserver" in window &&
    "ResizeObserver" in window
  );
}
