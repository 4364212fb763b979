import { type ReactNode, type RefObject, useId } from "react";
import ui from "@/styles/ui.module.css";
import styles from "./AlertDialog.module.css";
import buttons from "./button.module.css";

interface Props {
  dialog: RefObject<HTMLDialogElement | null>;
  title: string;
  text: string;
  closeLabel: string;
  /** After the button, which takes the focus. */
  children?: ReactNode;
}

/**
 * The browser's own modal: it traps focus, closes on Esc and gives focus back to its opener.
 * (Radix's dialog writes a style element, which the content security policy refuses.)
 */
export function AlertDialog({ dialog, title, text, closeLabel, children }: Props) {
  const id = useId();
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={`${id}t`}
      aria-describedby={`${id}d`}
      className={styles.dialog}
    >
      <h2 id={`${id}t`} className={ui.modest}>
        {title}
      </h2>
      <p id={`${id}d`}>{text}</p>
      <button type="button" className={buttons.primary} onClick={() => dialog.current?.close()}>
        {closeLabel}
      </button>
      {children}
    </dialog>
  );
}
