import styles from "@/components/form/ErrorSummary.module.css";
import { Icon } from "@/components/Icon";
import { messageAt, WRONG_COUNT } from "./filled";
import { When } from "./When";

interface Props {
  words: { one: string; many: string };
  /** In the page's order. */
  fields: readonly string[];
}

/** What is wrong, with a link to each field. */
export function Wrong({ words, fields }: Props) {
  return (
    <When is="errors">
      <section className={styles.summary}>
        <p className={styles.heading}>
          <Icon name="alert" />
          <span>
            <When is="errors|length == 1" otherwise={words.many.replace("{count}", WRONG_COUNT)}>
              {words.one}
            </When>
          </span>
        </p>
        <ul>
          {fields.map((name) => (
            <When key={name} is={`errors.${name}`}>
              <li>
                <a href={`#${name}`}>{messageAt(name)}</a>
              </li>
            </When>
          ))}
        </ul>
      </section>
    </When>
  );
}
