import type { ReactNode } from "react";

interface Props {
  /** One of the server's names (web/plain.py): "state.failed", "values.marketing", "errors.phone". */
  is: string;
  children: ReactNode;
  otherwise?: ReactNode;
}

/** A choice that the server makes when it fills the page, in Jinja's words. Both sides are written. */
export function When({ is, children, otherwise }: Props) {
  return (
    <>
      {`{% if ${is} %}`}
      {children}
      {otherwise && "{% else %}"}
      {otherwise}
      {"{% endif %}"}
    </>
  );
}
