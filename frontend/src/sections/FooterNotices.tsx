import { type MouseEvent, startTransition, useId, useState } from "react";
import buttons from "@/components/button.module.css";
import { closeModal, showModal } from "@/components/modal";
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

/** The browser's own modal: Radix's dialog writes a style element, which the content security policy refuses. */
function FooterNotice({ notice, close }: { notice: Notice; close: string }) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  function onClick(event: MouseEvent): void {
    // With a key held the link opens elsewhere, which is the browser's to do.
    if (!(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) {
      event.preventDefault();
      startTransition(() => setOpened(true));
    }
  }
  return (
    <>
      <a href={notice.href} className={styles.notice} aria-haspopup="dialog" onClick={onClick}>
        {notice.link}
      </a>
      {opened && (
        <dialog
          ref={showModal}
          role="alertdialog"
          aria-labelledby={`${id}t`}
          aria-describedby={`${id}d`}
          className={styles.dialog}
          onClose={() => setOpened(false)}
        >
          <h2 id={`${id}t`} className={ui.modest}>
            {notice.title}
          </h2>
          <p id={`${id}d`}>{notice.text}</p>
          <button type="button" className={buttons.primary} onClick={closeModal}>
            {close}
          </button>
          <a href={notice.href}>{notice.more}</a>
        </dialog>
      )}
    </>
  );
}
