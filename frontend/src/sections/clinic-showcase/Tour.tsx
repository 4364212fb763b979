import { Picture } from "@/components/Picture";
import { VideoPlayer } from "@/components/VideoPlayer";
import type { PictureFile } from "@/lib/pictures";
import { UPRIGHT, type VideoSource } from "@/lib/videos";
import ui from "@/styles/ui.module.css";
import styles from "./ClinicShowcase.module.css";

export interface ClinicTour {
  video: VideoSource;
  poster: PictureFile;
  /** The poster of the upright cut that phones get; without one they get the wide film. */
  upright: PictureFile | undefined;
  /** Whether it is an illustration. It has no sound then. */
  sample: boolean;
}

export type TourWords = Content<"gallery.yaml">["words"]["tour"] & Record<"play" | "soon", string>;

const SIZES = "(min-width: 1240px) 1160px, 94vw";

/** The film of the clinic, which loads when it is pressed. */
export function Tour({ words, tour }: { words: TourWords; tour: ClinicTour }) {
  const { title, lead, mark } = tour.sample ? words.illustrated : { ...words, mark: undefined };
  const instead = tour.upright && { file: tour.upright, media: UPRIGHT };
  return (
    <figure>
      <VideoPlayer
        name={title}
        words={{ ...words, mark }}
        video={tour.video}
        muted={tour.sample}
        poster={<Picture file={tour.poster} instead={instead} alt="" sizes={SIZES} />}
        className={tour.upright && styles.upright}
      />
      <figcaption className={ui.small}>
        {title}: {lead}
      </figcaption>
    </figure>
  );
}
