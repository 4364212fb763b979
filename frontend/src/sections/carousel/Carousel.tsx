import type { ReactNode } from "react";
import ui from "@/styles/ui.module.css";
import styles from "./Carousel.module.css";
import { CarouselControls } from "./CarouselControls";
import { useCarousel } from "./useCarousel";

export type CarouselWords = Pick<
  Content<"cases.yaml">["words"],
  "carousel" | "carouselRole" | "previous" | "next" | "show" | "position"
>;

interface Props {
  words: CarouselWords;
  slides: readonly { id: string; name: string; content: ReactNode }[];
  /** Whether the row of slides is a stop of the Tab key: where no slide has one of its own. */
  focusable?: boolean;
}

/** Side by side on wide screens; on phones a carousel of one slide at a time, which never advances by itself. */
export function Carousel({ words, slides, focusable = false }: Props) {
  const { track, current, moved, show } = useCarousel(slides.length);
  const position = words.position
    .replace("{number}", String(current + 1))
    .replace("{count}", String(slides.length))
    .replace("{name}", slides[current]?.name ?? "");
  return (
    // biome-ignore lint/a11y/useSemanticElements: the ARIA carousel pattern asks for a named group; a fieldset is for forms.
    <div role="group" aria-roledescription={words.carouselRole} aria-label={words.carousel} className={ui.stack}>
      <CarouselControls words={words} slides={slides} current={current} onShow={show} />
      <ul ref={track} className={styles.track} tabIndex={focusable ? 0 : undefined} aria-label={words.carousel}>
        {slides.map(({ id, content }) => (
          <li key={id} className={styles.slide}>
            {content}
          </li>
        ))}
      </ul>
      <p className={ui.hidden} aria-live="polite">
        {moved ? position : ""}
      </p>
    </div>
  );
}
