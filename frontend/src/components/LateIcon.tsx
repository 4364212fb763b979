import type { ReactElement } from "react";
import { IconFrame } from "./Icon";

/** Icons of the blocks that come late: apart from the others, so that no first load carries them. */
const SHAPES = {
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

interface Props {
  name: keyof typeof SHAPES;
  className?: string | undefined;
}

export function LateIcon({ name, className }: Props) {
  return <IconFrame className={className}>{SHAPES[name]}</IconFrame>;
}
