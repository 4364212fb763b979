import { type ReactNode, useState } from "react";
import { Icon } from "./Icon";
import { LateIcon } from "./LateIcon";
import { Player, type VideoSource } from "./Player";
import styles from "./VideoPlayer.module.css";

interface Props {
  /** What the video shows, for its button and its frame. */
  name: string;
  words: { play: string; soon: string };
  /** Null while there is no video: the poster then says so. */
  video: VideoSource | null;
  muted?: boolean;
  poster: ReactNode;
  className?: string | undefined;
}

interface PosterProps {
  name: string;
  words: Props["words"];
  ready: boolean;
  onPlay: () => void;
  children: ReactNode;
}

function Poster({ name, words, ready, onPlay, children }: PosterProps) {
  return (
    <>
      {children}
      {ready ? (
        <button type="button" className={styles.play} aria-label={`${words.play}: ${name}`} onClick={onPlay}>
          <span className={styles.disc}>
            <LateIcon name="play" />
          </span>
        </button>
      ) : (
        <p className={styles.soon}>
          <Icon name="clock" />
          {words.soon}
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
        <Poster name={name} words={words} ready={video !== null} onPlay={() => setPlaying(true)}>
          {poster}
        </Poster>
      )}
    </div>
  );
}
