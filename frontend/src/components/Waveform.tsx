import styles from "./Waveform.module.css";

const BARS = 36;

/** Bar heights from 0 to 1, always the same for a name. */
function heights(name: string): number[] {
  let state = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return Array.from({ length: BARS }, (_, bar) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const envelope = Math.sin((Math.PI * (bar + 1)) / (BARS + 1));
    return 0.12 + envelope * (0.25 + 0.63 * (state / 4294967296));
  });
}

/** An abstract drawing of a voice, for posters without a face. */
export function Waveform({ name }: { name: string }) {
  const bars = heights(name).map(
    (height, bar) => `M${bar * 10 + 5} ${(50 - height * 46).toFixed(0)}v${(height * 92).toFixed(0)}`,
  );
  return (
    <svg className={styles.wave} viewBox="0 0 360 100" preserveAspectRatio="none" aria-hidden="true">
      <path d={bars.join("")} />
    </svg>
  );
}
