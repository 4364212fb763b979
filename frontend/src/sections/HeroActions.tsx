import buttons from "@/components/button.module.css";
import { Icon } from "@/components/Icon";
import { FormLink } from "@/features/lead-form/FormLink";
import { ChatLink } from "@/features/whatsapp/ChatLink";
import { HERO_ACTIONS } from "./anchors";
import styles from "./HeroActions.module.css";

interface Props {
  primary: string;
  chat: string;
  source: string;
}

export function HeroActions({ primary, chat, source }: Props) {
  return (
    <div id={HERO_ACTIONS} className={styles.actions}>
      <FormLink className={buttons.primary}>{primary}</FormLink>
      <ChatLink source={source} className={buttons.quiet}>
        <Icon name="chat" className={styles.chat} />
        {chat}
      </ChatLink>
    </div>
  );
}
