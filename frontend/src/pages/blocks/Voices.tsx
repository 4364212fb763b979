import { testimonials, voices } from "@/content/voices";
import { initialsOf } from "@/lib/format";
import { filmPoster } from "@/lib/pictures";
import { useSamples } from "@/lib/settings";
import { videoSource } from "@/lib/videos";
import { VideoTestimonials } from "@/sections/video-testimonials/VideoTestimonials";

const ITEMS = testimonials.map(({ id, name, review, poster, video, sample }) => ({
  id,
  name,
  initials: initialsOf(name),
  review,
  poster: poster === null ? null : filmPoster(poster),
  video: videoSource(video),
  sample,
}));

export function Voices({ id }: { id: string }) {
  const samples = useSamples();
  const shown = ITEMS.filter(({ sample }) => samples || !sample);
  return shown.length > 0 && <VideoTestimonials id={id} words={voices} testimonials={shown} />;
}
