import type { MouseEvent, ReactNode } from "react";
import { opening as usualOpening } from "#content/chat.yaml";
import { report } from "@/lib/events";
import { logFailure } from "@/lib/log";
import { useSettings } from "@/lib/settings";
import { chatLink, chatMessage, chatTarget, newChatCode, recordChatClick } from "@/lib/whatsapp";
import { Icon } from "./Icon";

interface ChatLinkProps {
  /** The tag that says where on the site the chat was opened. */
  source: string;
  className?: string | undefined;
  children: ReactNode;
  /** What the chat begins with, instead of the usual opening. */
  opening?: string;
  /** The language of the opening and of the link, where it is not the page's: recorded with the tap. */
  lang?: string;
  /** The visitor's own question, read at the moment of the tap. */
  question?: () => string;
}

/**
 * A real link to the WhatsApp chat. As rendered it carries the generic message; the tap itself gives it a code and
 * records the click. If that fails the generic link still opens.
 */
export function ChatLink({
  source,
  className,
  children,
  opening = usualOpening,
  lang,
  question,
}: ChatLinkProps) {
  const { whatsappNumber } = useSettings();
  const generic = chatLink(whatsappNumber, opening);

  function onClick(event: MouseEvent<HTMLAnchorElement>): void {
    const link = event.currentTarget;
    try {
      const code = newChatCode();
      const message = chatMessage(opening, code, question?.());
      link.href = chatLink(whatsappNumber, message);
      link.target = chatTarget(navigator);
      recordChatClick(code, source, message, lang);
      report({ kind: "whatsapp_click", location: source, code });
    } catch (cause) {
      logFailure("Opening the chat", cause);
      link.href = generic;
    }
  }

  return (
    <a
      href={generic}
      target="_blank"
      rel="noopener"
      onClick={onClick}
      className={className}
      lang={lang}
      data-chat-source={source}
    >
      {children}
    </a>
  );
}

interface PhoneLinkProps {
  source: string;
  /** Spoken before the number; shown instead of it when `showNumber` is false. */
  label: string;
  className?: string | undefined;
  showNumber?: boolean;
}

/** A call link. It shows the number, because many visitors read this on a device that cannot call. */
export function PhoneLink({ source, label, className, showNumber = true }: PhoneLinkProps) {
  const { clinicPhone, clinicPhoneDigits } = useSettings();
  return (
    <a
      href={`tel:${clinicPhoneDigits}`}
      className={className}
      aria-label={`${label}: ${clinicPhone}`}
      onClick={() => report({ kind: "phone_click", location: source })}
    >
      <Icon name="phone" />
      <span>{showNumber ? clinicPhone : label}</span>
    </a>
  );
}
