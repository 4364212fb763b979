import { useSamples } from "@/lib/settings";
import styles from "./SampleTag.module.css";

/** Says that what it stands on awaits the clinic's own material. It comes and goes with the samples themselves. */
export function SampleTag() {
  return useSamples() ? <span className={styles.tag}>Sample</span> : null;
}
