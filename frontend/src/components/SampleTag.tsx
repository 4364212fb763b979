import { tag } from "#content/sample.yaml";
import { useSamples } from "@/lib/settings";
import styles from "./SampleTag.module.css";

/** Marks a group of content that awaits the clinic's own material. Shown only where sample content is. */
export function SampleTag() {
  return useSamples() ? <span className={styles.tag}>{tag}</span> : null;
}
