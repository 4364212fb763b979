import { Icon } from "@/components/Icon";
import ui from "@/styles/ui.module.css";
import styles from "./CarouselControls.module.css";

interface Props {
  words: { previous: string; next: string; show: string };
  slides: readonly { id: string; name: string }[];
  current: number;
  /** Takes any index and wraps around at both ends. */
  onShow: (index: number) => void;
}

export function CarouselControls({ words, slides, current, onShow }: Props) {
  return (
    <div className={styles.controls}>
      <button type="button" className={ui.round} aria-label={words.previous} onClick={() => onShow(current - 1)}>
        <Icon name="back" />
      </button>
      <div className={styles.dots}>
        {slides.map(({ id, name }, index) => (
          <button
            key={id}
            type="button"
            className={styles.dot}
            aria-label={`${words.show}: ${name}`}
            aria-current={index === current ? "true" : undefined}
            onClick={() => onShow(index)}
          />
        ))}
      </div>
      <button type="button" className={ui.round} aria-label={words.next} onClick={() => onShow(current + 1)}>
        <Icon name="forward" />
      </button>
    </div>
  );
}
