import type { MouseEvent } from "react";

/** Whether a press follows its link here: other buttons and keys open it elsewhere, which is the browser's to do. */
export const opensHere = (event: MouseEvent): boolean =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
