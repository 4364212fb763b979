/**
 * Runs `action` once, when `element` comes near the viewport; returns how to stop waiting.
 *
 * A busy engine delivers several observations at once, the oldest first: "not there yet" may stand before "there".
 */
export function whenNear(element: Element, near: IntersectionObserverInit, action: () => void): () => void {
  const observer = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) {
      observer.disconnect();
      action();
    }
  }, near);
  observer.observe(element);
  return () => observer.disconnect();
}
