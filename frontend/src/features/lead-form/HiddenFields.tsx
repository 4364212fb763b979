import type { FieldBinding } from "./engine";
import styles from "./HiddenFields.module.css";

interface Control extends Partial<FieldBinding> {
  id: string;
  name: string;
}

interface Props {
  website: Control;
  clickId: Control;
}

/** The ad click's id, and a trap that people never meet: whoever fills it in is a robot. */
export function HiddenFields({ website, clickId }: Props) {
  return (
    <>
      <input type="hidden" {...clickId} defaultValue="" />
      <div className={styles.trap} aria-hidden="true">
        <label htmlFor={website.id}>Website</label>
        <input {...website} type="text" tabIndex={-1} autoComplete="off" defaultValue="" />
      </div>
    </>
  );
}
