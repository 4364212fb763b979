import type { MouseEvent } from "react";
import { report } from "@/lib/events";
import { logFailure } from "@/lib/log";
import { useSettings } from "@/lib/useSettings";
import {
  CHAT_MESSAGE,
  chatLink,
  chatMessage,
  chatTarget,
  newChatCode,
  recordChatClick,
} from "@/lib/whatsapp";

/**
 * Properties of a real link to the chat. As rendered it carries the generic message; the tap itself gives it
 * a code and records the click. If that fails the generic link still opens.
 */
export function useChatLink(source: string, question?: () => string) {
  const { whatsappNumber } = useSettings();
  const generic = chatLink(whatsappNumber, CHAT_MESSAGE);

  function onClick(event: MouseEvent<HTMLAnchorElement>): void {
    const link = event.currentTarget;
    try {
      const code = newChatCode();
      const message = chatMessage(code, question?.());
      link.href = chatLink(whatsappNumber, message);
      link.target = chatTarget(navigator);
      recordChatClick(code, source, message);
      report({ kind: "whatsapp_click", location: source, code });
    } catch (cause) {
      logFailure("Opening the chat", cause);
      link.href = generic;
    }
  }

  return { href: generic, target: "_blank", rel: "noopener", onClick };
}
