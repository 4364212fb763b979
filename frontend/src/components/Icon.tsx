import type { ReactElement } from "react";
import styles from "./Icon.module.css";

/** Drawn for this project on a 24-unit grid; strokes take the text's colour. */
const SHAPES = {
  star: (
    <path
      d="m12 3 2.700 5.700 6.300.8-4.600 4.300 1.200 6.200-5.600-3.100L6.400 20l1.200-6.200L3 9.500l6.300-.8Z"
      fill="currentColor"
      stroke="none"
    />
  ),
  check: <path d="m5 12.500 4.500 4.500L19 7.500" />,
  close: <path d="m6.500 6.500 11 11m0-11-11 11" />,
  alert: <path d="M12 7.500v5.500m0 3.200v.100M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17Z" />,
  chevron: <path d="m6.500 9.500 5.500 5.500 5.500-5.500" />,
  phone: (
    <path d="M6.200 4.200h2.600l1.500 3.900-2 1.500a11.500 11.500 0 0 0 6.100 6.100l1.500-2 3.900 1.500v2.600c0 1.100-.900 2-2 1.900C10.600 19.200 4.800 13.400 4.300 6.200c0-1.100.800-2 1.900-2Z" />
  ),
  chat: (
    <path d="M4.500 19.500 5.700 16A7.800 7.800 0 1 1 8.400 18.500Zm5-9.700c.200 2.700 2.300 4.800 5 5l.900-1.600-2-1-.8.700a4 4 0 0 1-1.600-1.600l.7-.8-1-2Z" />
  ),
  clock: <path d="M12 7v5.200l3.400 2M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17Z" />,
  shield: (
    <path d="M12 3.500 5 6v5.500c0 4.300 2.900 7.600 7 9 4.100-1.400 7-4.700 7-9V6Zm-3 8.300 2.300 2.300 4-4.300" />
  ),
  search: <path d="M10.800 4.500a6.300 6.300 0 1 0 0 12.600 6.300 6.300 0 0 0 0-12.600Zm4.600 10.900 4.100 4.100" />,
  mail: (
    <path d="M6 5.500h12a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-9c0-1.100.900-2 2-2ZM4.500 8l7.500 5.500L19.500 8" />
  ),
  card: (
    <path d="M5.500 6h13a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2V8c0-1.100.900-2 2-2Zm-2 4h17M7 14.500h3M4.500 20.500l15-17" />
  ),
  tag: <path d="M4.500 4.500h7l8 8-7 7-8-8Zm3.700 3.700v.100" />,
  pin: <path d="M12 20.500c4-4.300 6-7.500 6-10.300a6 6 0 0 0-12 0c0 2.800 2 6 6 10.300Zm0-8.300v.100" />,
  people: (
    <path d="M9 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6Zm-5.500 14c.3-3.400 2.500-5.200 5.500-5.200s5.200 1.800 5.500 5.200m1-13.600a2.800 2.800 0 0 1 0 5.300m1.600 3.200c2 .6 3.200 2.300 3.400 5.100" />
  ),
  play: <path d="M8.500 5.500v13l10-6.500Z" fill="currentColor" />,
  pause: <path d="M9 6v12m6-12v12" />,
  back: <path d="m14.500 6-6 6 6 6" />,
  forward: <path d="m9.500 6 6 6-6 6" />,
  enlarge: <path d="M14 4.500h5.500V10m0-5.500-6 6M10 19.500H4.500V14m0 5.500 6-6" />,
  sides: <path d="m8.500 7-5 5 5 5m7-10 5 5-5 5" />,
  retry: <path d="M19 12a7 7 0 1 1-2.100-5M19 4v4h-4" />,
  copy: (
    <path d="M11 9h6a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-6a2 2 0 0 1-2-2v-7c0-1.100.900-2 2-2Zm4-3a2 2 0 0 0-2-2H7a2 2 0 0 0-2 2v7c0 1.100.900 2 2 2" />
  ),
  plane: (
    <path
      d="M12 2.800c.900 0 1.500 1 1.500 2.300v4.400l6.500 4.200v2l-6.500-2v3.800l2 1.600v1.600l-3.500-1-3.500 1v-1.600l2-1.600v-3.800l-6.500 2v-2l6.500-4.200V5.100c0-1.300.600-2.300 1.500-2.300Z"
      transform="rotate(45 12 12)"
    />
  ),
} as const satisfies Record<string, ReactElement>;

export type IconName = keyof typeof SHAPES;

/** Decoration: the text beside it carries the meaning. */
export function Icon({ name, className = "" }: { name: IconName; className?: string | undefined }) {
  return (
    <svg className={`${styles.icon} ${className}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {SHAPES[name]}
    </svg>
  );
}
