/** The accessibility attributes that tie a control to its hint and error. */
export function fieldDescription(id: string, hint?: string, error?: string) {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return { "aria-describedby": described || undefined, "aria-invalid": error ? true : undefined };
}
