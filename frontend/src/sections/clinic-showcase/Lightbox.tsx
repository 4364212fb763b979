import { type KeyboardEvent, useId } from "react";
import { Icon } from "@/components/Icon";
import { closeModal, showModal } from "@/components/modal";
import { Picture } from "@/components/Picture";
import { wrapIndex } from "@/lib/wrapIndex";
import ui from "@/styles/ui.module.css";
import type { ClinicImage } from "./GalleryImage";
import styles from "./Lightbox.module.css";

interface Props {
  words: Content<"gallery.yaml">["words"];
  images: readonly ClinicImage[];
  shown: number;
  onShow: (index: number) => void;
  onClose: () => void;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** The Tab key goes around the buttons. Browsers put other stops after the last one: the dialog itself, their own buttons. */
function focusNext(dialog: HTMLDialogElement, by: 1 | -1): void {
  const buttons = [...dialog.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[wrapIndex(at + by, buttons.length)]?.focus();
}

/** A picture as large as the window lets it be, and the way to the others. */
export function Lightbox({ words, images, shown, onShow, onClose }: Props) {
  const id = useId();
  const image = images[shown] as ClinicImage;
  const step = (by: number) => onShow(wrapIndex(shown + by, images.length));
  function onKeyDown(event: KeyboardEvent<HTMLDialogElement>): void {
    const by = STEPS[event.key];
    if (by !== undefined) {
      event.preventDefault();
      step(by);
    } else if (event.key === "Tab") {
      event.preventDefault();
      focusNext(event.currentTarget, event.shiftKey ? -1 : 1);
    }
  }
  const position = words.imagePosition.replace("{number}", String(shown + 1)).replace("{count}", String(images.length));
  return (
    <dialog
      ref={showModal}
      aria-labelledby={id}
      className={styles.dialog}
      onKeyDown={onKeyDown}
      onClick={(event) => event.target === event.currentTarget && closeModal(event)}
      onClose={onClose}
    >
      <div className={styles.content}>
        <div className={styles.bar}>
          <p id={id} aria-live="polite" className={styles.caption}>
            {image.caption} <span className={styles.position}>{position}</span>
          </p>
          <button type="button" className={ui.round} aria-label={words.close} onClick={closeModal}>
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
