import { Picture } from "@/components/Picture";
import { type Staged, VideoPlayer } from "@/components/VideoPlayer";
import type { PictureFile } from "@/lib/pictures";
import { UPRIGHT, type VideoSource } from "@/lib/videos";
import ui from "@/styles/ui.module.css";
import styles from "./ClinicShowcase.module.css";

export interface ClinicFilm {
  id: string;
  title: string;
  lead: string;
  /** Stands on the poster of an illustration. */
  mark?: string;
  video: VideoSource | null;
  poster: PictureFile;
  /** The poster of the upright cut that phones get; without one they get the wide film. */
  upright?: PictureFile | undefined;
  muted: boolean;
  staged?: Staged;
}

const SIZES = "(min-width: 1240px) 568px, (min-width: 768px) 46vw, 94vw";

/** A film that loads when it is pressed. */
export function FilmFigure({ words, film }: { words: { play: string }; film: ClinicFilm }) {
  const { id, title, lead, mark, video, poster, upright, muted, staged } = film;
  return (
    <figure id={id}>
      <VideoPlayer
        name={title}
        words={{ ...words, mark }}
        video={video}
        muted={muted}
        staged={staged}
        poster={<Picture file={poster} instead={upright && { file: upright, media: UPRIGHT }} alt="" sizes={SIZES} />}
        className={upright && styles.upright}
      />
      <figcaption className={ui.small}>
        {title}: {lead}
      </figcaption>
    </figure>
  );
}
