import styles from "./Pictogram.module.css";

/** Two strokes each, drawn for this project on a 32-unit grid with corners of 3.5: the object, and a gold accent. */
const STROKES = {
  scan: [
    "M8.5 4h15a3.5 3.5 0 0 1 3.5 3.5v17a3.5 3.5 0 0 1-3.5 3.5h-15A3.5 3.5 0 0 1 5 24.5v-17A3.5 3.5 0 0 1 8.5 4ZM16 10.3c-3.2-1.9-6.2.2-5.7 3.9.3 1.7 1 2.6 1.3 4.3.4 2 .5 4.5 2 4.5 1.6 0 1-3.8 2.4-3.8s.8 3.8 2.4 3.8c1.5 0 1.6-2.5 2-4.5.3-1.7 1-2.6 1.3-4.3.5-3.7-2.5-5.8-5.7-3.9Z",
    "M1.8 15.5h3.2M27 15.5h3.2M13.8 14.5c1.4.7 3 .7 4.4 0",
  ],
  quote: [
    "M19 4H9.5A3.5 3.5 0 0 0 6 7.5v17A3.5 3.5 0 0 0 9.5 28h13a3.5 3.5 0 0 0 3.5-3.5V11Zm0 0v4.5a2.5 2.5 0 0 0 2.5 2.5H26M11 16h10M11 10.5h3.5",
    "M11 22h10",
  ],
  coordinator: [
    "M16 6a5.3 5.3 0 0 0 0 10.6A5.3 5.3 0 0 0 16 6ZM5.5 28c.6-5 4.7-8 10.5-8s9.9 3 10.5 8",
    "M8 12.5V11a8 8 0 0 1 16 0v1.5M24 12.5c0 2.8-1.6 4.5-4.3 4.8",
  ],
  warranty: ["M16 3.8 6 7.5v8c0 6 4.2 10.5 10 12.7 5.8-2.2 10-6.7 10-12.7v-8Z", "m11.3 15.7 3.4 3.4 6-6.4"],
  travel: [
    "M8.5 10h15a3.5 3.5 0 0 1 3.5 3.5v10a3.5 3.5 0 0 1-3.5 3.5h-15A3.5 3.5 0 0 1 5 23.5v-10A3.5 3.5 0 0 1 8.5 10ZM12 10V7.5A2.5 2.5 0 0 1 14.5 5h3A2.5 2.5 0 0 1 20 7.5V10",
    "M10.8 10v17M21.2 10v17",
  ],
  home: [
    "M4.5 15.3 16 5l11.5 10.3M7.5 13v11.5A3.5 3.5 0 0 0 11 28h10a3.5 3.5 0 0 0 3.5-3.5V13",
    "M16 23.8c-3.3-2.2-5-4-5-6a2.6 2.6 0 0 1 5-1 2.6 2.6 0 0 1 5 1c0 2-1.7 3.8-5 6Z",
  ],
  question: [
    "M8 5h16a3.5 3.5 0 0 1 3.5 3.5v11A3.5 3.5 0 0 1 24 23h-8.5L9.5 28v-5H8a3.5 3.5 0 0 1-3.5-3.5v-11A3.5 3.5 0 0 1 8 5Z",
    "M10.5 11.5h11M10.5 16.5h6.5",
  ],
  plan: [
    "M11 6.5H9.5A3.5 3.5 0 0 0 6 10v14.5A3.5 3.5 0 0 0 9.5 28h13a3.5 3.5 0 0 0 3.5-3.5V10a3.5 3.5 0 0 0-3.5-3.5H21M13 4h6a2 2 0 0 1 2 2v3H11V6a2 2 0 0 1 2-2ZM18 15.5h3.5M18 22h3.5",
    "m10.5 15.3 1.7 1.7 2.8-3.2m-4.5 8 1.7 1.7 2.8-3.2",
  ],
  implant: [
    "M16 5.3c-3.2-2-7.3-.4-7 3.9.2 2.3 1.3 3.5 2.1 5.8h9.8c.8-2.3 1.9-3.5 2.1-5.8.3-4.3-3.8-5.9-7-3.9ZM13.5 15v3h5v-3",
    "M11.8 18h8.4l-1.3 9.2c-.3 1.7-5.5 1.7-5.8 0ZM12.2 21.3l7.3-.9M12.7 24.8l6.5-.8",
  ],
  calendar: [
    "M8.5 6.5h15A3.5 3.5 0 0 1 27 10v14a3.5 3.5 0 0 1-3.5 3.5h-15A3.5 3.5 0 0 1 5 24V10a3.5 3.5 0 0 1 3.5-3.5ZM5 13h22M11 4v5M21 4v5",
    "m11.5 20 3.3 3.3 5.7-5.8",
  ],
} as const;

export type PictogramName = keyof typeof STROKES;

/** Decoration: the text beside it carries the meaning. */
export function Pictogram({ name, className }: { name: PictogramName; className?: string | undefined }) {
  const [thing, point] = STROKES[name];
  return (
    <svg className={`${styles.pictogram} ${className ?? ""}`} viewBox="0 0 32 32" aria-hidden="true">
      <path d={thing} />
      <path d={point} className={styles.point} />
    </svg>
  );
}
