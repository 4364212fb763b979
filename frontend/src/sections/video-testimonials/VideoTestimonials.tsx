import { Band, type BandWords } from "@/components/Band";
import { Carousel, type CarouselWords } from "@/sections/carousel/Carousel";
import { type Testimonial, TestimonialCard, type TestimonialCardWords } from "./TestimonialCard";

export interface TestimonialWords extends BandWords, TestimonialCardWords, CarouselWords {}

interface Props {
  id: string;
  words: TestimonialWords;
  testimonials: readonly Testimonial[];
}

export function VideoTestimonials({ id, words, testimonials }: Props) {
  const slides = testimonials.map((testimonial) => ({
    id: testimonial.id,
    name: testimonial.name,
    content: <TestimonialCard words={words} testimonial={testimonial} />,
  }));
  return (
    <Band id={id} words={words} tone="white" sample={testimonials.some(({ sample }) => sample)}>
      <Carousel words={words} slides={slides} focusable={testimonials.every(({ video }) => video === null)} />
    </Band>
  );
}
