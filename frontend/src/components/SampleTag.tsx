import { useSettings } from "@/lib/useSettings";
import styles from "./SampleTag.module.css";

/** Says, in development only, that what it stands on awaits the clinic's own material. */
export function SampleTag() {
  return useSettings().environment === "development" ? <span className={styles.tag}>Sample</span> : null;
}
