/**
 * Taps on the links to the clinic's WhatsApp and telephone, answered here for the whole page: also before the app runs,
 * and in parts of the page that it has not reached yet. The links work without this.
 */
import { report } from "./events";
import { logFailure } from "./log";
import { codedChat } from "./whatsapp";

/** What the chat is to ask: what was typed into the form that the link is in. */
function questionBeside(link: HTMLElement): string {
  const form = link.closest("form");
  return String((form && new FormData(form).get("message")) ?? "");
}

/** Each link's address as it was rendered, and the one that the last tap gave it. */
const addresses = new WeakMap<HTMLAnchorElement, { generic: string; coded: string }>();

function openChat(link: HTMLAnchorElement, source: string): void {
  const last = addresses.get(link);
  const generic = last?.coded === link.href ? last.generic : link.href;
  try {
    const { href, target } = codedChat(generic, source, questionBeside(link), link.lang);
    link.href = href;
    link.target = target;
    addresses.set(link, { generic, coded: link.href });
  } catch (cause) {
    logFailure("Opening the chat", cause);
    link.href = generic;
  }
}

function onClick(event: Event): void {
  const link = event.target instanceof Element && event.target.closest("a");
  const { chatSource, callSource } = link ? link.dataset : {};
  if (link && chatSource) {
    openChat(link, chatSource);
  } else if (callSource) {
    report({ kind: "phone_click", location: callSource });
  }
}

/** The middle button opens a link in another tab. */
function onAuxClick(event: MouseEvent): void {
  if (event.button === 1) {
    onClick(event);
  }
}

/** May be called again. On the way down, because React stops clicks on parts that it has not reached yet. */
export function followContacts(): void {
  window.addEventListener("click", onClick, { capture: true });
  window.addEventListener("auxclick", onAuxClick, { capture: true });
}
