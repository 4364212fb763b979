import type { MouseEvent, ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { opensHere } from "@/lib/press";
import { openUnlessShown } from "@/lib/shownPage";

interface Props {
  /** A path of this site. */
  to: string;
  className?: string | undefined;
  "aria-label"?: string;
  children: ReactNode;
}

/** A link to another page of the site, without loading a new document. The router's own link adds its data loading. */
export function PageLink({ to, children, ...rest }: Props) {
  const navigate = useNavigate();
  function onClick(event: MouseEvent): void {
    if (opensHere(event)) {
      event.preventDefault();
      void navigate(to);
      openUnlessShown(to);
    }
  }
  return (
    <a href={to} onClick={onClick} {...rest}>
      {children}
    </a>
  );
}
