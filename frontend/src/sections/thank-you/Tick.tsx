import styles from "./Tick.module.css";

export function Tick() {
  return (
    <svg className={styles.tick} viewBox="0 0 96 96" aria-hidden="true" focusable="false">
      <circle cx="48" cy="48" r="44" />
      <path d="m29 49.500 13 13 25-27" pathLength="1" />
    </svg>
  );
}
