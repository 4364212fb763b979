import { useRef } from "react";
import { AlertDialog } from "@/components/AlertDialog";
import { ChoicesButton } from "@/features/consent/ChoicesButton";
import styles from "./SiteFooter.module.css";

interface Notice {
  link: string;
  title: string;
  text: string;
  /** Links to the full text. */
  more: string;
  href: string;
}

export interface LegalWords {
  notices: readonly Notice[];
  close: string;
  /** Reopens the cookie banner. */
  cookies: string;
}

/** Privacy and terms (each a short text in a dialog, with a link to the full text), and cookie choices. */
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

function FooterNotice({ notice, close }: { notice: Notice; close: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button
        type="button"
        className={styles.notice}
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
      >
        {notice.link}
      </button>
      <AlertDialog dialog={dialog} title={notice.title} text={notice.text} closeLabel={close}>
        <a href={notice.href}>{notice.more}</a>
      </AlertDialog>
    </>
  );
}
