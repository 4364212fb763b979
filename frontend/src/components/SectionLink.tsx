import type { MouseEvent, ReactNode } from "react";
import { opensHere } from "@/lib/press";
import { goToSection, showInAddress } from "@/lib/scroll";

interface Props {
  /** An anchor on this page (#...), or an address. */
  href: string;
  className?: string | undefined;
  children: ReactNode;
}

/** A link that scrolls to an anchor of the page with the right offset once the script runs; any other link is plain. */
export function SectionLink({ href, className, children }: Props) {
  function onClick(event: MouseEvent): void {
    if (href.startsWith("#") && opensHere(event)) {
      event.preventDefault();
      showInAddress(href);
      goToSection(href.slice(1));
    }
  }
  return (
    <a href={href} className={className} onClick={onClick}>
      {children}
    </a>
  );
}

/** The id of the section that holds the enquiry form, on every page that has one. */
export const FORM_SECTION = "contact-form";

/** The id of the hero's buttons: the bottom bar stays hidden until they have left the view. */
export const HERO_ACTIONS = "hero-actions";

export function FormLink({ className, children }: Omit<Props, "href">) {
  return (
    <SectionLink href={`#${FORM_SECTION}`} className={className}>
      {children}
    </SectionLink>
  );
}
