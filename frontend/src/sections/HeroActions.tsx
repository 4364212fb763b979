import buttons from "@/components/button.module.css";
import { ChatLink } from "@/components/ContactLinks";
import { FormLink, HERO_ACTIONS } from "@/components/FormLink";
import { Icon } from "@/components/Icon";
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
        <Icon name="chat" />
        {chat}
      </ChatLink>
    </div>
  );
}
