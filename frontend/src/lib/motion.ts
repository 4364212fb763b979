/** How a scroll should move for this visitor. */
export function scrollBehaviour(): "instant" | "smooth" {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}
