import type { ReactElement } from "react";
import styles from "./Icon.module.css";

/** Drawn for this project on a 24-unit grid; strokes take the text's colour. */
const SHAPES = {
  star: (
    <path
      d="m12 3 2.7 5.7 6.3.8-4.6 4.3 1.2 6.2-5.6-3.1L6.4 20l1.2-6.2L3 9.5l6.3-.8Z"
      fill="currentColor"
      stroke="none"
    />
  ),
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  close: <path d="m6.5 6.5 11 11m0-11-11 11" />,
  alert: <path d="M12 7.5v5.5m0 3.2v.1M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Z" />,
  chevron: <path d="m6.5 9.5 5.5 5.5 5.5-5.5" />,
  phone: (
    <path d="M6.2 4.2h2.6l1.5 3.9-2 1.5a11.5 11.5 0 0 0 6.1 6.1l1.5-2 3.9 1.5v2.6c0 1.1-.9 2-2 1.9C10.6 19.2 4.8 13.4 4.3 6.2c0-1.1.8-2 1.9-2Z" />
  ),
  chat: (
    <path d="M4.5 19.5 5.7 16A7.8 7.8 0 1 1 8.4 18.5Zm5-9.7c.2 2.7 2.3 4.8 5 5l.9-1.6-2-1-.8.7a4 4 0 0 1-1.6-1.6l.7-.8-1-2Z" />
  ),
  clock: <path d="M12 7v5.2l3.4 2M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Z" />,
  shield: <path d="M12 3.5 5 6v5.5c0 4.3 2.9 7.6 7 9 4.1-1.4 7-4.7 7-9V6Zm-3 8.3 2.3 2.3 4-4.3" />,
  search: <path d="M10.8 4.5a6.3 6.3 0 1 0 0 12.6 6.3 6.3 0 0 0 0-12.6Zm4.6 10.9 4.1 4.1" />,
  mail: <path d="M6 5.5h12a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-9c0-1.1.9-2 2-2ZM4.5 8l7.5 5.5L19.5 8" />,
  card: (
    <path d="M5.5 6h13a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2V8c0-1.1.9-2 2-2Zm-2 4h17M7 14.5h3M4.5 20.5l15-17" />
  ),
  tag: <path d="M4.5 4.5h7l8 8-7 7-8-8Zm3.7 3.7v.1" />,
  pin: <path d="M12 20.5c4-4.3 6-7.5 6-10.3a6 6 0 0 0-12 0c0 2.8 2 6 6 10.3Zm0-8.3v.1" />,
  people: (
    <path d="M9 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6Zm-5.5 14c.3-3.4 2.5-5.2 5.5-5.2s5.2 1.8 5.5 5.2m1-13.6a2.8 2.8 0 0 1 0 5.3m1.6 3.2c2 .6 3.2 2.3 3.4 5.1" />
  ),
  play: <path d="M8.5 5.5v13l10-6.5Z" fill="currentColor" />,
  pause: <path d="M9 6v12m6-12v12" />,
  back: <path d="m14.5 6-6 6 6 6" />,
  forward: <path d="m9.5 6 6 6-6 6" />,
  enlarge: <path d="M14 4.5h5.5V10m0-5.5-6 6M10 19.5H4.5V14m0 5.5 6-6" />,
  sides: <path d="m8.5 7-5 5 5 5m7-10 5 5-5 5" />,
  retry: <path d="M19 12a7 7 0 1 1-2.1-5M19 4v4h-4" />,
  copy: (
    <path d="M11 9h6a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-6a2 2 0 0 1-2-2v-7c0-1.1.9-2 2-2Zm4-3a2 2 0 0 0-2-2H7a2 2 0 0 0-2 2v7c0 1.1.9 2 2 2" />
  ),
  plane: (
    <path
      d="M12 2.8c.9 0 1.5 1 1.5 2.3v4.4l6.5 4.2v2l-6.5-2v3.8l2 1.6v1.6l-3.5-1-3.5 1v-1.6l2-1.6v-3.8l-6.5 2v-2l6.5-4.2V5.1c0-1.3.6-2.3 1.5-2.3Z"
      transform="rotate(45 12 12)"
    />
  ),
} as const satisfies Record<string, ReactElement>;

export type IconName = keyof typeof SHAPES;

/** Decoration: the text beside it carries the meaning. */
export function Icon({ name, className = "" }: { name: IconName; className?: string | undefined }) {
  return (
    <svg className={`${styles.icon} ${className}`} viewBox="0 0 24 24" aria-hidden="true">
      {SHAPES[name]}
    </svg>
  );
}
