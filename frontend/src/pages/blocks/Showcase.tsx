import { clinicFigures, film, gallery, showcase } from "@/content/showcase";
import { filmPoster, roomPicture } from "@/lib/pictures";
import { useSamples } from "@/lib/settings";
import { videoSource } from "@/lib/videos";
import { ClinicShowcase } from "@/sections/clinic-showcase/ClinicShowcase";

const POSTER = filmPoster(film);
const FILM = videoSource(film);
const IMAGES = gallery.map(({ id, image, caption, alt, sample }) => ({
  id,
  alt,
  caption,
  sample,
  file: roomPicture(image),
}));

export function Showcase() {
  const samples = useSamples();
  const shown = IMAGES.filter(({ sample }) => samples || !sample);
  return (
    shown.length > 0 && (
      <ClinicShowcase
        id="clinic-showcase"
        words={showcase}
        video={FILM}
        poster={POSTER}
        images={shown}
        figures={clinicFigures(samples)}
      />
    )
  );
}
