import { controlClass, Field, fieldDescription } from "@/components/form/Field";
import { CountrySelect } from "@/features/lead-form/CountrySelect";
import styles from "@/features/lead-form/PhoneField.module.css";
import { messageAt, typed } from "./filled";
import { When } from "./When";

interface Props {
  words: { label: string; hint: string; country: string };
}

const NAME = "phone";

function Phone({ words, error }: Props & { error?: string }) {
  return (
    <Field id={NAME} label={words.label} required hint={words.hint} error={error}>
      <div className={styles.row}>
        <CountrySelect label={words.country} />
        <input
          {...fieldDescription(NAME, words.hint, error)}
          id={NAME}
          name={NAME}
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          aria-required
          maxLength={250}
          defaultValue={typed(NAME)}
          className={controlClass}
          // biome-ignore lint/a11y/noAutofocus: the page was asked for by a press, and this is what to correct.
          autoFocus={error !== undefined}
        />
      </div>
    </Field>
  );
}

/** The phone with its country; the build marks the option that was chosen. A missing country is shown here too. */
export function TypedPhone({ words }: Props) {
  return (
    <When is={`errors.${NAME}`} otherwise={<Phone words={words} />}>
      <Phone words={words} error={messageAt(NAME)} />
    </When>
  );
}
