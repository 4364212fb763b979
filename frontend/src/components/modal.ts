import type { SyntheticEvent } from "react";

/**
 * The `ref` of a native modal dialog that is open while it is there: it traps focus, closes on Esc and gives focus back to
 * its opener. To open it makes the whole page inert, which takes a phone 100 ms: in a transition the press is painted before.
 */
export const showModal = (dialog: HTMLDialogElement | null) => dialog?.showModal();

/** From within the dialog; its `onClose` takes it away. */
export const closeModal = ({ currentTarget }: SyntheticEvent) => currentTarget.closest("dialog")?.close();
