import type { ReactNode } from "react";
import { Icon } from "@/components/Icon";
import ui from "@/styles/ui.module.css";
import styles from "./Field.module.css";

/** What a form library attaches to an input, as react-hook-form's `register` returns it. */
export interface FieldBinding {
  ref: (element: HTMLElement | null) => void;
  onChange: (event: { target: unknown; type?: string }) => unknown;
  onBlur: (event: { target: unknown; type?: string }) => unknown;
}

/** The attributes of an input, with or without the form library's. */
export interface ControlProps extends Partial<FieldBinding> {
  id: string;
  name: string;
}

/** The accessibility attributes that tie a control to its hint and error. */
export function fieldDescription(id: string, hint?: string, error?: string) {
  const described = hint ? `${id}-hint ${id}-error` : `${id}-error`;
  return { "aria-describedby": described, "aria-invalid": error ? true : undefined };
}

interface FieldProps {
  id: string;
  name: string;
  label: string;
  required?: boolean;
  hint?: string | undefined;
  error?: string | undefined;
  children: ReactNode;
}

/**
 * Label above, control, then hint and error. The control points at both through `fieldDescription`. The error's place is
 * there without one: the server fills it where no script runs (web/plain.py).
 */
export function Field({ id, name, label, required = false, hint, error, children }: FieldProps) {
  return (
    <div className={styles.field}>
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
      <p id={`${id}-error`} className={styles.error} data-error={name} hidden={!error}>
        <Icon name="alert" />
        <span data-message={name}>{error}</span>
      </p>
    </div>
  );
}

/** For a form's own kinds of control, so that they look like the text fields. */
export const controlClass = styles.control;

export interface TextFieldProps extends ControlProps {
  label: string;
  required?: boolean;
  hint?: string;
  error?: string | undefined;
  type?: "text" | "email";
  autoComplete?: string;
  maxLength: number;
  /** Makes the field a text area with this many rows, which grows. */
  rows?: number;
}

export function TextField({ label, required = false, hint, error, rows, type = "text", ...control }: TextFieldProps) {
  const described = fieldDescription(control.id, hint, error);
  // In the direction of what is typed; an address always runs from left to right.
  const dir = type === "text" ? "auto" : undefined;
  const shared = { ...control, ...described, dir, "aria-required": required || undefined };
  return (
    <Field id={control.id} name={control.name} label={label} required={required} hint={hint} error={error}>
      {rows ? (
        <textarea {...shared} rows={rows} className={styles.area} />
      ) : (
        <input
          {...shared}
          type={type}
          spellCheck={false}
          autoCapitalize={type === "email" ? "none" : "words"}
          className={controlClass}
        />
      )}
    </Field>
  );
}

/** Hidden from people, filled in by bots. */
export function Honeypot(control: ControlProps) {
  return (
    <div className={ui.hidden} aria-hidden="true">
      <label htmlFor={control.id}>Website</label>
      <input {...control} type="text" tabIndex={-1} autoComplete="off" defaultValue="" />
    </div>
  );
}

/** What the script fills in where the browser posts the form itself (lib/nativeForm.ts). */
export function NativeFields() {
  return ["key", "start", "visit"].map((name) => <input key={name} type="hidden" name={name} />);
}
