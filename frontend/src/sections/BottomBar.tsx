import { useEffect, useRef } from "react";
import buttons from "@/components/button.module.css";
import { ChatLink } from "@/components/ContactLinks";
import { Icon } from "@/components/Icon";
import { FORM_SECTION } from "@/components/places";
import styles from "./BottomBar.module.css";
import { useBottomBarShown } from "./useBottomBarShown";

interface Props {
  words: { label: string; chat: string; form: string };
  source: string;
}

/** While it is shown the page has its height as data-bar, in pixels, for what stands above it. */
export function BottomBar({ words, source }: Props) {
  const shown = useBottomBarShown();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const page = document.documentElement;
    if (shown) {
      page.dataset.bar = String(bar.current?.offsetHeight);
    }
    return () => {
      delete page.dataset.bar;
    };
  }, [shown]);
  return (
    <aside ref={bar} className={styles.bar} data-shown={shown ? "" : undefined} inert={!shown} aria-label={words.label}>
      <div className={styles.row}>
        <ChatLink source={source} className={`${buttons.chat} ${styles.chat}`}>
          <Icon name="chat" />
          {words.chat}
        </ChatLink>
        <a href={`#${FORM_SECTION}`} className={buttons.primary}>
          {words.form}
        </a>
      </div>
    </aside>
  );
}
