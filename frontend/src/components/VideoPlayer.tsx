import { type ReactNode, useId, useState } from "react";
import type { VideoSource } from "@/lib/videos";
import { Icon } from "./Icon";
import { LateIcon } from "./LateIcon";
import { Player } from "./Player";
import styles from "./VideoPlayer.module.css";

interface Props {
  /** What the video shows, for its button and its frame. */
  name: string;
  words: {
    play: string;
    soon: string;
    /** {host} of the video service that is asked for the film, said before it is. */
    from?: string;
  };
  /** Null while there is no video: the poster then says so. */
  video: VideoSource | null;
  muted?: boolean;
  poster: ReactNode;
  className?: string | undefined;
}

interface PosterProps {
  name: string;
  words: Props["words"];
  video: VideoSource | null;
  onPlay: () => void;
  children: ReactNode;
}

function Poster({ name, words, video, onPlay, children }: PosterProps) {
  const id = useId();
  const host = video?.kind === "service" && new URL(video.embedUrl).host.replace(/^www\./, "");
  const from = host && words.from?.replace("{host}", host);
  return (
    <>
      {children}
      {video ? (
        <button
          type="button"
          className={styles.play}
          aria-label={`${words.play}: ${name}`}
          aria-describedby={from ? id : undefined}
          onClick={onPlay}
        >
          <span className={styles.disc}>
            <LateIcon name="play" />
          </span>
        </button>
      ) : (
        <p className={styles.note}>
          <Icon name="clock" />
          {words.soon}
        </p>
      )}
      {from && (
        <p id={id} className={styles.note}>
          {from}
        </p>
      )}
    </>
  );
}

/** A poster that becomes the player when it is pressed: nothing of the video loads before. */
export function VideoPlayer({ name, words, video, muted = false, poster, className }: Props) {
  const [playing, setPlaying] = useState(false);
  return (
    <div className={`${styles.frame} ${className ?? ""}`}>
      {playing && video ? (
        <Player name={name} video={video} muted={muted} />
      ) : (
        <Poster name={name} words={words} video={video} onPlay={() => setPlaying(true)}>
          {poster}
        </Poster>
      )}
    </div>
  );
}
