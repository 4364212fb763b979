import { type KeyboardEvent, type MouseEvent, type RefObject, useId } from "react";
import { Icon } from "@/components/Icon";
import { Picture } from "@/components/Picture";
import { wrapIndex } from "@/lib/wrapIndex";
import ui from "@/styles/ui.module.css";
import type { ClinicImage } from "./GalleryImage";
import styles from "./Lightbox.module.css";

interface Props {
  dialog: RefObject<HTMLDialogElement | null>;
  words: Content<"gallery.yaml">["words"];
  images: readonly ClinicImage[];
  shown: number;
  onShow: (index: number) => void;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** The Tab key goes around the buttons. Browsers put other stops after the last one: the dialog itself, their own buttons. */
function focusNext(dialog: HTMLDialogElement, by: 1 | -1): void {
  const buttons = [...dialog.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[wrapIndex(at + by, buttons.length)]?.focus();
}

/** A native modal dialog: it traps focus, closes on Esc and returns focus to its opener. */
export function Lightbox({ dialog, words, images, shown, onShow }: Props) {
  const id = useId();
  const image = images[shown];
  if (image === undefined) {
    return null;
  }
  const step = (by: number) => onShow(wrapIndex(shown + by, images.length));
  function onKeyDown(event: KeyboardEvent): void {
    const by = STEPS[event.key];
    if (by !== undefined) {
      event.preventDefault();
      step(by);
    } else if (event.key === "Tab" && dialog.current) {
      event.preventDefault();
      focusNext(dialog.current, event.shiftKey ? -1 : 1);
    }
  }
  function onClick(event: MouseEvent): void {
    if (event.target === dialog.current) {
      dialog.current?.close();
    }
  }
  const position = words.imagePosition.replace("{number}", String(shown + 1)).replace("{count}", String(images.length));
  return (
    <dialog ref={dialog} aria-labelledby={id} className={styles.dialog} onKeyDown={onKeyDown} onClick={onClick}>
      <div className={styles.content}>
        <div className={styles.bar}>
          <p id={id} aria-live="polite" className={styles.caption}>
            {image.caption} <span className={styles.position}>{position}</span>
          </p>
          <button type="button" className={ui.round} aria-label={words.close} onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </button>
        </div>
        <Picture key={image.id} file={image.file} alt={image.alt} sizes="94vw" className={styles.image} />
        <div className={styles.steps}>
          <button type="button" className={ui.round} aria-label={words.previousImage} onClick={() => step(-1)}>
            <Icon name="back" />
          </button>
          <button type="button" className={ui.round} aria-label={words.nextImage} onClick={() => step(1)}>
            <Icon name="forward" />
          </button>
        </div>
      </div>
    </dialog>
  );
}
