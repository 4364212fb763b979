import buttons from "@/components/button.module.css";
import { Icon } from "@/components/Icon";
import { PageLink } from "@/components/PageLink";
import styles from "./NotFoundCard.module.css";

interface Props {
  words: { title: string; people: string; line: string; home: string };
}

export function NotFoundCard({ words }: Props) {
  return (
    <div className={styles.middle}>
      <div className={styles.card}>
        <Icon name="alert" className={styles.icon} />
        <h1 className={styles.title}>{words.title}</h1>
        <p>{words.people}</p>
        <p className={styles.line}>{words.line}</p>
        <PageLink to="/" className={buttons.quiet}>
          {words.home}
        </PageLink>
      </div>
    </div>
  );
}
