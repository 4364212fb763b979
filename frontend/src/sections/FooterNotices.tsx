import { type MouseEvent, useId, useRef } from "react";
import buttons from "@/components/button.module.css";
import { ChoicesButton } from "@/features/consent/ChoicesButton";
import ui from "@/styles/ui.module.css";
import styles from "./SiteFooter.module.css";

/** A short text, which links to the full one. */
type Notice = Content<"legal.yaml">["notices"][string] & { href: string };

export interface LegalWords {
  notices: readonly Notice[];
  close: string;
  /** Reopens the cookie banner. */
  cookies: string;
}

/** Privacy and terms, each a short text in a dialog; without a script a link to the full text. And cookie choices. */
export function FooterNotices({ legal }: { legal: LegalWords }) {
  return (
    <div className={styles.legal}>
      {legal.notices.map((notice) => (
        <FooterNotice key={notice.link} notice={notice} close={legal.close} />
      ))}
      <ChoicesButton className={styles.notice} label={legal.cookies} />
    </div>
  );
}

/** Whether a press follows its link here: other buttons and keys open it elsewhere, which is the browser's to do. */
const opensHere = (event: MouseEvent): boolean =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

/**
 * The browser's own modal: it traps focus, closes on Esc and gives focus back to its opener.
 * (Radix's dialog writes a style element, which the content security policy refuses.)
 */
function FooterNotice({ notice, close }: { notice: Notice; close: string }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  function onClick(event: MouseEvent): void {
    if (opensHere(event)) {
      event.preventDefault();
      dialog.current?.showModal();
    }
  }
  return (
    <>
      <a href={notice.href} className={styles.notice} aria-haspopup="dialog" onClick={onClick}>
        {notice.link}
      </a>
      <dialog
        ref={dialog}
        role="alertdialog"
        aria-labelledby={`${id}t`}
        aria-describedby={`${id}d`}
        className={styles.dialog}
      >
        <h2 id={`${id}t`} className={ui.modest}>
          {notice.title}
        </h2>
        <p id={`${id}d`}>{notice.text}</p>
        <button type="button" className={buttons.primary} onClick={() => dialog.current?.close()}>
          {close}
        </button>
        <a href={notice.href}>{notice.more}</a>
      </dialog>
    </>
  );
}
