import { Icon } from "@/components/Icon";
import styles from "./CarouselControls.module.css";

interface Props {
  words: { previous: string; next: string; show: string };
  /** The slides' names, in their order. */
  names: readonly string[];
  current: number;
  /** Takes any index and wraps around at both ends. */
  onShow: (index: number) => void;
}

export function CarouselControls({ words, names, current, onShow }: Props) {
  return (
    <div className={styles.controls}>
      <button
        type="button"
        className={styles.step}
        aria-label={words.previous}
        onClick={() => onShow(current - 1)}
      >
        <Icon name="back" />
      </button>
      <div className={styles.dots}>
        {names.map((name, index) => (
          <button
            key={name}
            type="button"
            className={styles.dot}
            aria-label={`${words.show}: ${name}`}
            aria-disabled={index === current}
            onClick={() => onShow(index)}
          />
        ))}
      </div>
      <button
        type="button"
        className={styles.step}
        aria-label={words.next}
        onClick={() => onShow(current + 1)}
      >
        <Icon name="forward" />
      </button>
    </div>
  );
}
