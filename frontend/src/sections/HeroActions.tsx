import buttons from "@/components/button.module.css";
import { ChatLink } from "@/components/ContactLinks";
import { Icon } from "@/components/Icon";
import { FORM_SECTION, HERO_ACTIONS } from "@/components/places";
import styles from "./HeroActions.module.css";

export function HeroActions({ primary, chat, source }: { primary: string; chat: string; source: string }) {
  return (
    <div id={HERO_ACTIONS} className={styles.actions}>
      <a href={`#${FORM_SECTION}`} className={buttons.primary}>
        {primary}
      </a>
      <ChatLink source={source} className={buttons.quiet}>
        <Icon name="chat" />
        {chat}
      </ChatLink>
    </div>
  );
}
