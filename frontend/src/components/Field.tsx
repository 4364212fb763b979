import type { ReactNode } from "react";
import styles from "./Field.module.css";
import { Icon } from "./Icon";

interface Props {
  id: string;
  label: string;
  required?: boolean;
  hint?: string | undefined;
  error?: string | undefined;
  children: ReactNode;
}

/** Label above, control, then hint and error. The control points at both through `fieldDescription`. */
export function Field({ id, label, required = false, hint, error, children }: Props) {
  return (
    <div className={styles.field} data-invalid={error ? "" : undefined}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {required && (
          <span className={styles.star} aria-hidden="true">
            {" "}
            *
          </span>
        )}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          <Icon name="alert" />
          {error}
        </p>
      )}
    </div>
  );
}
