import { Band, type BandWords } from "@/components/Band";
import { Picture } from "@/components/Picture";
import { VideoPlayer } from "@/components/VideoPlayer";
import type { PictureFile } from "@/lib/pictures";
import type { VideoSource } from "@/lib/videos";
import styles from "./Film.module.css";

interface Props {
  id: string;
  words: BandWords & { play: string; soon: string };
  video: VideoSource | null;
  poster: PictureFile;
}

const SIZES = "(min-width: 1240px) 752px, (min-width: 1000px) 62vw, 100vw";

/** The presentation film, which loads when it is pressed. */
export function Film({ id, words, video, poster }: Props) {
  return (
    <Band id={id} words={words} tone="ink" layout="columns">
      <VideoPlayer
        name={words.title}
        words={words}
        video={video}
        muted
        poster={<Picture file={poster} alt="" sizes={SIZES} />}
        className={styles.film}
      />
    </Band>
  );
}
