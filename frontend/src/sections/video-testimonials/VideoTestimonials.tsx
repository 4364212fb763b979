import { Band, type BandWords } from "@/components/Band";
import { CarouselControls } from "./CarouselControls";
import { type Testimonial, TestimonialCard, type TestimonialCardWords } from "./TestimonialCard";
import { useCarousel } from "./useCarousel";
import styles from "./VideoTestimonials.module.css";

export interface TestimonialWords extends BandWords, TestimonialCardWords {
  /** Name of the group of slides. */
  carousel: string;
  carouselRole: string;
  previous: string;
  next: string;
  /** Precedes the slide's name in its dot's name. */
  show: string;
  /** Contains {number}, {count} and {name} of the current slide. */
  position: string;
}

interface Props {
  id: string;
  words: TestimonialWords;
  testimonials: readonly Testimonial[];
}

/** Side by side on wide screens; on phones a carousel of one slide at a time, which never advances by itself. */
export function VideoTestimonials({ id, words, testimonials }: Props) {
  const { track, current, moved, show } = useCarousel(testimonials.length);
  const name = testimonials[current]?.name ?? "";
  const position = words.position
    .replace("{number}", String(current + 1))
    .replace("{count}", String(testimonials.length))
    .replace("{name}", name);
  return (
    <Band id={id} words={words} tone="white" sample={testimonials.some(({ sample }) => sample)}>
      {/* biome-ignore lint/a11y/useSemanticElements: the ARIA carousel pattern asks for a named group; a fieldset is for forms. */}
      <div
        role="group"
        aria-roledescription={words.carouselRole}
        aria-label={words.carousel}
        className={styles.carousel}
      >
        <CarouselControls
          words={words}
          names={testimonials.map((testimonial) => testimonial.name)}
          current={current}
          onShow={show}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable without a mouse. */}
        <ul ref={track} className={styles.track} tabIndex={0} aria-label={words.carousel}>
          {testimonials.map((testimonial) => (
            <li key={testimonial.id} className={styles.slide}>
              <TestimonialCard words={words} testimonial={testimonial} />
            </li>
          ))}
        </ul>
        <p className={styles.position} aria-live="polite">
          {moved ? position : ""}
        </p>
      </div>
    </Band>
  );
}
