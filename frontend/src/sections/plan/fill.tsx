/** How the answer's words get into its markup: from a view in the browser, or as what the server fills in (pages/plain). */
import { Fragment, type ReactNode } from "react";
import type { PlanView } from "@/lib/plan";

export interface Fill {
  /** The text at a place of the view: "sum", "instead.text". */
  text: (place: string) => string;
  /** Shows the part where the view has something at the place. */
  when: (place: string, part: ReactNode) => ReactNode;
  /** Repeats the part for each entry of a list; `of` reads a field of the entry, or the entry itself. */
  each: (place: string, part: (of: (field?: string) => string) => ReactNode) => ReactNode;
}

type Values = Record<string, unknown>;

function at(view: Values, place: string): unknown {
  return place.split(".").reduce<unknown>((value, field) => (value as Values | null)?.[field], view);
}

/** Fills in a view; without one the answer asks for the first question's. */
export function fillFrom(view: PlanView | null): Fill {
  const values: Values = view === null ? { ask: true } : { [view.state]: true, ...view };
  return {
    text: (place) => String(at(values, place) ?? ""),
    when: (place, part) => {
      const found = at(values, place);
      return (Array.isArray(found) ? found.length > 0 : found) ? part : null;
    },
    each: (place, part) =>
      ((at(values, place) ?? []) as unknown[]).map((entry) => (
        <Fragment key={JSON.stringify(entry)}>
          {part((field) => String(field === undefined ? entry : (entry as Values)[field]))}
        </Fragment>
      )),
  };
}
