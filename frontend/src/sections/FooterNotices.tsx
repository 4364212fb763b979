import { type MouseEvent, useRef } from "react";
import { AlertDialog } from "@/components/AlertDialog";
import { ChoicesButton } from "@/features/consent/ChoicesButton";
import styles from "./SiteFooter.module.css";

/** A short text, which links to the full one. */
type Notice = Content<"legal.yaml">["privacy"] & { href: string };

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

function FooterNotice({ notice, close }: { notice: Notice; close: string }) {
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
      <AlertDialog dialog={dialog} title={notice.title} text={notice.text} closeLabel={close}>
        <a href={notice.href}>{notice.more}</a>
      </AlertDialog>
    </>
  );
}
