import hidden from "@/components/VisuallyHidden.module.css";
import type { FieldBinding } from "./engine";

interface Props extends Partial<FieldBinding> {
  id: string;
  name: string;
}

/** A field that people never meet: whoever fills it in is a robot. */
export function Trap(control: Props) {
  return (
    <div className={hidden.hidden} aria-hidden="true">
      <label htmlFor={control.id}>Website</label>
      <input {...control} type="text" tabIndex={-1} autoComplete="off" defaultValue="" />
    </div>
  );
}
