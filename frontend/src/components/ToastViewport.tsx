import * as Toast from "@radix-ui/react-toast";
import { close } from "#content/toast.yaml";
import { Icon } from "./Icon";
import type { ToastWords } from "./Toasts";
import styles from "./ToastViewport.module.css";

/** Radix's own defaults, stated explicitly: 5 seconds, swipe right past 50 px, F8 to reach the area. */
const DURATION_MS = 5000;
const SWIPE_PX = 50;

interface Props {
  shown: { number: number; toast: ToastWords } | null;
}

export function ToastViewport({ shown }: Props) {
  return (
    <Toast.Provider duration={DURATION_MS} swipeDirection="right" swipeThreshold={SWIPE_PX}>
      {shown && (
        <Toast.Root
          key={shown.number}
          className={styles.toast}
          data-tone={shown.toast.tone}
          type={shown.toast.tone === "destructive" ? "foreground" : "background"}
        >
          <Icon name={shown.toast.tone === "destructive" ? "alert" : "check"} />
          <div>
            <Toast.Title className={styles.title}>{shown.toast.title}</Toast.Title>
            <Toast.Description>{shown.toast.description}</Toast.Description>
          </div>
          <Toast.Close className={styles.close} aria-label={close}>
            <Icon name="close" />
          </Toast.Close>
        </Toast.Root>
      )}
      <Toast.Viewport className={styles.viewport} hotkey={["F8"]} />
    </Toast.Provider>
  );
}
