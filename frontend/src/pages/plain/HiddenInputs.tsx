import { typed } from "./filled";

/** What a page with a script had sent along: it is sent again with the next press. */
export function HiddenInputs({ names }: { names: readonly string[] }) {
  return names.map((name) => <input key={name} type="hidden" name={name} defaultValue={typed(name)} />);
}
