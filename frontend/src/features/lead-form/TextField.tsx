import { Field } from "@/components/Field";
import { fieldDescription } from "@/components/fieldDescription";
import styles from "./control.module.css";
import type { FieldBinding } from "./engine";

interface Props extends Partial<FieldBinding> {
  id: string;
  name: string;
  label: string;
  required?: boolean;
  hint?: string;
  error?: string | undefined;
  type?: "text" | "email";
  autoComplete?: string;
  maxLength: number;
  /** Given, the field is a text area of this many rows that grows. */
  rows?: number;
}

export function TextField({ label, required = false, hint, error, rows, type = "text", ...control }: Props) {
  const described = fieldDescription(control.id, hint, error);
  const shared = { ...control, ...described, "aria-required": required || undefined };
  return (
    <Field id={control.id} label={label} required={required} hint={hint} error={error}>
      {rows ? (
        <textarea {...shared} rows={rows} className={styles.area} />
      ) : (
        <input
          {...shared}
          type={type}
          spellCheck={false}
          autoCapitalize={type === "email" ? "none" : "words"}
          className={styles.control}
        />
      )}
    </Field>
  );
}
