import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { VideoSource } from "@/lib/videos";
import { Icon } from "./Icon";
import styles from "./VideoPlayer.module.css";

interface Props {
  /** What the video shows, for its button and its frame. */
  name: string;
  words: {
    play: string;
    /** Stands on the poster where there is no video. */
    none?: string;
    /** Names the video service, as {host}, before anything is loaded from it. */
    from?: string;
    /** Stands on the poster of a film that needs a word of explanation. */
    mark?: string | undefined;
  };
  /** Null leaves the poster alone. */
  video: VideoSource | null;
  muted?: boolean;
  poster: ReactNode;
  className?: string | undefined;
}

/** Plays at once and takes the focus: it replaces the pressed button. */
function Player({ name, video, muted }: { name: string; video: VideoSource; muted: boolean }) {
  const player = useRef<HTMLVideoElement & HTMLIFrameElement>(null);
  useEffect(() => {
    player.current?.focus();
  }, []);
  if (video.kind === "service") {
    return (
      <iframe
        ref={player}
        className={styles.player}
        title={name}
        src={video.embedUrl}
        sandbox="allow-scripts allow-same-origin allow-presentation"
        allow="autoplay; fullscreen; picture-in-picture"
        // The site's origin without the page: with no referrer, video services refuse to play.
        referrerPolicy="strict-origin"
      />
    );
  }
  return (
    <video ref={player} className={styles.player} controls autoPlay playsInline muted={muted} aria-label={name}>
      {video.sources.map(({ src, type, media }) => (
        <source key={src} src={src} type={type} media={media} />
      ))}
      {video.captions && <track kind="captions" srcLang="en" src={video.captions} default />}
    </video>
  );
}

function Poster({ name, words, video, poster, onPlay }: Props & { onPlay: () => void }) {
  const id = useId();
  const host = video?.kind === "service" && new URL(video.embedUrl).host.replace(/^www\./, "");
  const note = video ? (host && words.from?.replace("{host}", host)) || words.mark : words.none;
  return (
    <>
      {poster}
      {video && (
        <button
          type="button"
          className={styles.play}
          aria-label={`${words.play}: ${name}`}
          aria-describedby={note ? id : undefined}
          onClick={onPlay}
        >
          <span className={styles.disc}>
            <Icon name="play" />
          </span>
        </button>
      )}
      {note && (
        <p id={id} className={styles.note}>
          {note}
        </p>
      )}
    </>
  );
}

/** A poster that the player replaces when it is pressed; nothing of the video loads before that. */
export function VideoPlayer(props: Props) {
  const { name, video, muted = false, className = "" } = props;
  const [playing, setPlaying] = useState(false);
  return (
    <div className={`${styles.frame} ${className}`}>
      {playing && video ? (
        <Player name={name} video={video} muted={muted} />
      ) : (
        <Poster {...props} onPlay={() => setPlaying(true)} />
      )}
    </div>
  );
}
