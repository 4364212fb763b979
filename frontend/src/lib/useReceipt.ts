import { useSyncExternalStore } from "react";
import { type Receipt, referenceFromClock, storedReceipt } from "./receipt";

const never = () => () => {};
let shown: Receipt | null = null;

function receiptToShow(): Receipt {
  const stored = storedReceipt();
  if (stored !== null) {
    shown = shown?.reference === stored.reference && shown.acceptedAt === stored.acceptedAt ? shown : stored;
    return shown;
  }
  if (shown === null || shown.firstName !== "") {
    const now = Date.now();
    shown = { reference: referenceFromClock(now), firstName: "", acceptedAt: now };
  }
  return shown;
}

/** The session's receipt, or one made from the clock when nothing was sent; null while pre-rendering. */
export function useReceipt(): Receipt | null {
  return useSyncExternalStore(never, receiptToShow, () => null);
}
