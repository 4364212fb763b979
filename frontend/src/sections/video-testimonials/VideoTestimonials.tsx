import { Band } from "@/components/Band";
import { Picture } from "@/components/Picture";
import { VideoPlayer } from "@/components/VideoPlayer";
import type { PictureFile } from "@/lib/pictures";
import type { VideoSource } from "@/lib/videos";
import { Carousel } from "@/sections/carousel/Carousel";
import styles from "./VideoTestimonials.module.css";

type Words = Content<"testimonials.yaml">["words"];

interface Testimonial
  extends Pick<Content<"testimonials.yaml">["testimonials"][number], "id" | "name" | "review" | "sample"> {
  initials: string;
  /** Of the film; null shows the initials alone. */
  poster: PictureFile | null;
  video: VideoSource | null;
}

const SIZES = "(min-width: 1000px) 350px, (min-width: 768px) 32vw, 92vw";

function TestimonialCard({ words, testimonial }: { words: Words; testimonial: Testimonial }) {
  const { name, initials, review, video, sample } = testimonial;
  const poster = (
    <div className={styles.poster} aria-hidden="true">
      {testimonial.poster && <Picture file={testimonial.poster} alt="" sizes={SIZES} />}
      <span className={styles.initials}>{initials}</span>
    </div>
  );
  return (
    <figure className={styles.card}>
      {(video || sample) && (
        <VideoPlayer name={name} words={words} video={video} poster={poster} className={styles.video} />
      )}
      <blockquote className={styles.review}>
        <p>{review}</p>
      </blockquote>
      <figcaption className={styles.by}>{name}</figcaption>
    </figure>
  );
}

interface Props {
  id: string;
  words: Words;
  testimonials: readonly Testimonial[];
}

export function VideoTestimonials({ id, words, testimonials }: Props) {
  const slides = testimonials.map((testimonial) => ({
    ...testimonial,
    content: <TestimonialCard words={words} testimonial={testimonial} />,
  }));
  return (
    <Band id={id} words={words} tone="white" sample={testimonials.some(({ sample }) => sample)}>
      <Carousel words={words} slides={slides} focusable={testimonials.every(({ video }) => video === null)} />
    </Band>
  );
}
