import { Picture } from "@/components/Picture";
import { VideoPlayer } from "@/components/VideoPlayer";
import type { PictureFile } from "@/lib/pictures";
import type { VideoSource } from "@/lib/videos";
import styles from "./GalleryImage.module.css";

export interface ClinicTour {
  video: VideoSource;
  poster: PictureFile;
}

interface Props {
  words: { title: string; lead: string; play: string; soon: string };
  tour: ClinicTour;
}

const SIZES = "(min-width: 1240px) 1160px, 94vw";

/** The film of the clinic, which loads when it is pressed. */
export function Tour({ words, tour }: Props) {
  return (
    <figure className={styles.figure}>
      <VideoPlayer
        name={words.title}
        words={words}
        video={tour.video}
        poster={<Picture file={tour.poster} alt="" sizes={SIZES} />}
      />
      <figcaption className={styles.caption}>
        {words.title}: {words.lead}
      </figcaption>
    </figure>
  );
}
