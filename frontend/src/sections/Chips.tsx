import styles from "./Chips.module.css";

/** Places of the page in one row below its hero, on screens on which the header has no room for them. By their ids. */
export function Chips({ label, places }: { label: string; places: Readonly<Record<string, string>> }) {
  return (
    <nav className={styles.chips} aria-label={label}>
      {Object.entries(places).map(([id, text]) => (
        <a key={id} href={`#${id}`}>
          {text}
        </a>
      ))}
    </nav>
  );
}
