import type { LegalWords } from "@/sections/FooterNotices";
import styles from "@/sections/SiteFooter.module.css";

/** The footer's notices where no script can open a dialog: links to the whole texts. */
export function PlainNotices({ legal }: { legal: LegalWords }) {
  return (
    <div className={styles.legal}>
      {legal.notices.map(({ href, link }) => (
        <a key={href} href={href} className={styles.notice}>
          {link}
        </a>
      ))}
    </div>
  );
}
