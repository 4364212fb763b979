import styles from "./Breadcrumb.module.css";
import { PageLink } from "./PageLink";

interface Props {
  /** What a screen reader calls it. */
  label: string;
  /** The pages above this one, from the home page on. */
  above: readonly { path: string; text: string }[];
  current: string;
}

/** Where the page stands in the site, above its heading. */
export function Breadcrumb({ label, above, current }: Props) {
  return (
    <nav aria-label={label}>
      <ol className={styles.breadcrumb}>
        {above.map(({ path, text }) => (
          <li key={path}>
            <PageLink to={path} className={styles.link}>
              {text}
            </PageLink>
          </li>
        ))}
        <li aria-current="page">{current}</li>
      </ol>
    </nav>
  );
}
