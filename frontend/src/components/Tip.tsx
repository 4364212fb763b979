import * as Tooltip from "@radix-ui/react-tooltip";
import type { ReactNode } from "react";
import styles from "./Tip.module.css";

/** Radix's own defaults, stated explicitly: the first opens after 700 ms, the next within 300 ms at once. */
const DELAY_MS = 700;
const SKIP_MS = 300;

/** Tips that belong together. Only for late blocks: the tooltip's code is heavy. */
export function TipGroup({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_MS}>
      {children}
    </Tooltip.Provider>
  );
}

interface Props {
  /** Additional information only: nothing that is needed may be here alone. */
  text: string;
  className?: string | undefined;
  children: ReactNode;
}

export function Tip({ text, className, children }: Props) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger type="button" className={`${styles.trigger} ${className ?? ""}`}>
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className={styles.tip} sideOffset={6} collisionPadding={12}>
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
