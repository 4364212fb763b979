/** What the server fills in (web/plain.py), in Jinja's words. They may hold no quotes: React would escape these. */

/** What the visitor typed. */
export const typed = (name: string) => `{{ values.${name} }}`;

/** What is wrong at a field. */
export const messageAt = (name: string) => `{{ errors.${name} }}`;

/** How many fields are wrong. */
export const WRONG_COUNT = "{{ errors|length }}";

/** What happened, in the order in which a page's words are chosen. */
export type State = "open" | "invalid" | "limited" | "failed" | "again" | "long" | "closed" | "unreadable";
export type States = Partial<Record<State, { title: string; text: string }>>;

/** True in any of these states. */
export const anyOf = (states: readonly State[]) => states.map((state) => `state.${state}`).join(" or ");

export const entriesOf = (states: States) =>
  Object.entries(states) as [State, { title: string; text: string }][];
