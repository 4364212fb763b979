import type { ReactNode } from "react";
import { useChatLink } from "./useChatLink";

interface Props {
  /** The tag that says where on the site the chat was opened. */
  source: string;
  className?: string | undefined;
  children: ReactNode;
  /** The visitor's own question, read at the moment of the tap. */
  question?: () => string;
}

export function ChatLink({ source, className, children, question }: Props) {
  const link = useChatLink(source, question);
  return (
    <a {...link} className={className} data-chat-source={source}>
      {children}
    </a>
  );
}
