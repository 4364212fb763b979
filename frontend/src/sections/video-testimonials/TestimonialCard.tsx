import { Picture } from "@/components/Picture";
import { VideoPlayer } from "@/components/VideoPlayer";
import { Waveform } from "@/components/Waveform";
import type { PictureFile } from "@/lib/pictures";
import type { VideoSource } from "@/lib/videos";
import styles from "./TestimonialCard.module.css";

export interface Testimonial {
  id: string;
  name: string;
  initials: string;
  review: string;
  /** Null shows a drawn poster. */
  poster: PictureFile | null;
  video: VideoSource | null;
  sample: boolean;
}

export interface TestimonialCardWords {
  play: string;
  soon: string;
}

interface Props {
  words: TestimonialCardWords;
  testimonial: Testimonial;
}

const SIZES = "(min-width: 1080px) 350px, (min-width: 768px) 32vw, 92vw";

export function TestimonialCard({ words, testimonial }: Props) {
  const { name, initials, review, video } = testimonial;
  const poster = (
    <div className={styles.poster} data-drawn={testimonial.poster ? undefined : ""} aria-hidden="true">
      {testimonial.poster ? (
        <Picture file={testimonial.poster} alt="" sizes={SIZES} />
      ) : (
        <Waveform name={testimonial.id} />
      )}
      <span className={styles.initials}>{initials}</span>
    </div>
  );
  return (
    <figure className={styles.card}>
      <VideoPlayer name={name} words={words} video={video} poster={poster} className={styles.video} />
      <blockquote className={styles.review}>
        <p>{review}</p>
      </blockquote>
      <figcaption className={styles.by}>{name}</figcaption>
    </figure>
  );
}
