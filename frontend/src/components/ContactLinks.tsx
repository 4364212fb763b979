import type { ReactNode } from "react";
import { opening as usualOpening } from "#content/chat.yaml";
import { useSettings } from "@/lib/settings";
import { chatLink } from "@/lib/whatsapp";
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
}

/**
 * A real link to the WhatsApp chat. As rendered it carries the generic message; lib/contacts.ts gives it a code at the
 * tap, with the visitor's question where the link is in a form, and records the click.
 */
export function ChatLink({ source, className, children, opening = usualOpening, lang }: ChatLinkProps) {
  const { whatsappNumber } = useSettings();
  return (
    <a
      href={chatLink(whatsappNumber, opening)}
      target="_blank"
      rel="noopener"
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
      data-call-source={source}
    >
      <Icon name="phone" />
      <span>{showNumber ? clinicPhone : label}</span>
    </a>
  );
}
