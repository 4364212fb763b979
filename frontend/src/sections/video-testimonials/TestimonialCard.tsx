import type { VideoSource } from "@/components/Player";
import { SampleTag } from "@/components/SampleTag";
import { VideoPlayer } from "@/components/VideoPlayer";
import { Waveform } from "@/components/Waveform";
import styles from "./TestimonialCard.module.css";

export interface Testimonial {
  id: string;
  name: string;
  initials: string;
  review: string;
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

export function TestimonialCard({ words, testimonial }: Props) {
  const { name, initials, review, video, sample } = testimonial;
  const poster = (
    <div className={styles.poster} aria-hidden="true">
      <span className={styles.initials}>{initials}</span>
      <Waveform name={testimonial.id} />
    </div>
  );
  return (
    <figure className={styles.card}>
      <VideoPlayer name={name} words={words} video={video} poster={poster} className={styles.video} />
      <blockquote className={styles.review}>
        <p>{review}</p>
      </blockquote>
      <figcaption className={styles.by}>
        <span className={styles.name}>{name}</span>
        {sample && <SampleTag />}
      </figcaption>
    </figure>
  );
}
