import type { ReactNode } from "react";
import ui from "@/styles/ui.module.css";
import { Icon } from "./Icon";

interface Props {
  lines: readonly string[];
  className?: string | undefined;
  /** Before each line. */
  sign?: ReactNode;
}

/** Lines that differ, each with a tick before it. */
export function Points({ lines, className = ui.points, sign = <Icon name="check" /> }: Props) {
  return (
    <ul className={className}>
      {lines.map((line) => (
        <li key={line}>
          {sign}
          {line}
        </li>
      ))}
    </ul>
  );
}
