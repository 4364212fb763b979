import * as Tooltip from "@radix-ui/react-tooltip";
import { type ReactNode, startTransition, useState } from "react";
import { addSheet } from "@/lib/lateSheet";
import rules from "./Tip.css?inline";

addSheet(rules);

/** Radix's own defaults, written out: 700 ms before the first, and 300 ms within which the next opens at once. */
const DELAY_MS = 700;
const SKIP_MS = 300;

export function TipGroup({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_MS}>
      {children}
    </Tooltip.Provider>
  );
}

interface Props {
  /** More about what is shown; never the only place of something needed. */
  text: string;
  className?: string | undefined;
  children: ReactNode;
}

export function Tip({ text, className, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Tooltip.Root open={isOpen} onOpenChange={(next) => startTransition(() => setOpen(next))}>
      <Tooltip.Trigger type="button" className={`tip-opener ${className ?? ""}`}>
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip" sideOffset={6} collisionPadding={12}>
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
