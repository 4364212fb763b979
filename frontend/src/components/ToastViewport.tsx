import * as Toast from "@radix-ui/react-toast";
import { close } from "#content/toast.yaml";
import { addSheet } from "@/lib/lateSheet";
import { Icon } from "./Icon";
import type { ToastWords } from "./Toasts";
import rules from "./ToastViewport.css?inline";

addSheet(rules);

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
          className="slip"
          data-tone={shown.toast.tone}
          type={shown.toast.tone === "destructive" ? "foreground" : "background"}
        >
          <Icon name={shown.toast.tone === "destructive" ? "alert" : "check"} />
          <div>
            <Toast.Title className="slip-title">{shown.toast.title}</Toast.Title>
            <Toast.Description>{shown.toast.description}</Toast.Description>
          </div>
          <Toast.Close className="slip-close" aria-label={close}>
            <Icon name="close" />
          </Toast.Close>
        </Toast.Root>
      )}
      <Toast.Viewport className="slips" hotkey={["F8"]} />
    </Toast.Provider>
  );
}
