import type { MouseEvent, ReactNode } from "react";
import { goToSection } from "@/lib/scroll";
import { FORM_SECTION } from "./formSection";

interface Props {
  className?: string | undefined;
  children: ReactNode;
}

/** Leads to the form: a plain anchor, taken over by a scroll with the right offset once the script runs. */
export function FormLink({ className, children }: Props) {
  function onClick(event: MouseEvent): void {
    event.preventDefault();
    goToSection(FORM_SECTION);
  }
  return (
    <a href={`#${FORM_SECTION}`} className={className} onClick={onClick}>
      {children}
    </a>
  );
}
