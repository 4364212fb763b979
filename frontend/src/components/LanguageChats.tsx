import { choices, list, title } from "#content/languages.yaml";
import { RIGHT_TO_LEFT } from "@/lib/whatsapp";
import { ChatLink } from "./ContactLinks";
import styles from "./LanguageChats.module.css";

/** Links to the chat for those who would rather write in another language: each begins it with a sentence in that language. */
export function LanguageChats({ source }: { source: string }) {
  return (
    <div className={styles.line}>
      <p>{title}</p>
      <ul className={styles.languages} aria-label={list}>
        {choices.map(({ code, name, opening, rtl }) => (
          <li key={code} dir={rtl ? "rtl" : "ltr"}>
            <ChatLink
              source={source}
              lang={code}
              opening={rtl ? RIGHT_TO_LEFT + opening : opening}
              className={styles.language}
            >
              {name}
            </ChatLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
