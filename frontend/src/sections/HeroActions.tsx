import buttons from "@/components/button.module.css";
import { ChatLink } from "@/components/ContactLinks";
import { Icon } from "@/components/Icon";
import { FormLink } from "@/components/SectionLink";
import styles from "./HeroActions.module.css";

/** The id of the hero's buttons: the bottom bar stays hidden until they have left the view. */
export const HERO_ACTIONS = "hero-actions";

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
