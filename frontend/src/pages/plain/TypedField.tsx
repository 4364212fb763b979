import { TextField, type TextFieldProps } from "@/components/form/Field";
import { messageAt, typed } from "./filled";
import { When } from "./When";

/** A field with what was typed in it, and with its message where it has one; the first of these gets the focus. */
export function TypedField(props: Omit<TextFieldProps, "id">) {
  const { name } = props;
  const field = { ...props, id: name, defaultValue: typed(name) };
  return (
    <When is={`errors.${name}`} otherwise={<TextField {...field} />}>
      <TextField {...field} error={messageAt(name)} autoFocus />
    </When>
  );
}
