import type { RefObject } from "react";
import buttons from "@/components/button.module.css";
import { Icon } from "@/components/Icon";
import { ChatLink } from "@/features/whatsapp/ChatLink";
import styles from "./FailureBar.module.css";
import type { LeadFormWords } from "./words";

interface Props {
  words: LeadFormWords["failure"];
  form: RefObject<HTMLFormElement | null>;
  onAgain: () => void;
}

/** Stays inside the card after a failed attempt: everything typed is kept, and there are two ways on. */
export function FailureBar({ words, form, onAgain }: Props) {
  const question = () => String((form.current && new FormData(form.current).get("message")) ?? "");
  return (
    <div className={styles.bar} role="alert">
      <p className={styles.text}>
        <Icon name="alert" />
        {words.text}
      </p>
      <div className={styles.ways}>
        <button type="button" className={buttons.quiet} onClick={onAgain}>
          {words.again}
        </button>
        <ChatLink source="contact-form-failure" className={buttons.chat} question={question}>
          <Icon name="chat" />
          {words.chat}
        </ChatLink>
      </div>
    </div>
  );
}
