import { type ChangeEvent, type ReactNode, type SyntheticEvent, startTransition, useId, useState } from "react";
import type { VideoSource } from "@/lib/videos";
import ui from "@/styles/ui.module.css";
import { Icon } from "./Icon";
import styles from "./VideoPlayer.module.css";

/** Of a silent film of less than a minute: the words of the controls below it, and what it shows from which second on. */
export interface Staged {
  words: { play: string; pause: string; seek: string };
  stages: readonly { from: number; text: string }[];
}

type Told = SyntheticEvent<HTMLVideoElement>;

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
  staged?: Staged | undefined;
  poster: ReactNode;
  className?: string | undefined;
}

interface PlayerProps extends Pick<Props, "name" | "muted"> {
  video: VideoSource;
  /** Given where the controls stand below the picture. */
  onTold: ((told: Told) => void) | undefined;
}

const focus = (player: HTMLElement | null) => player?.focus();

/** Plays at once and takes the focus: it replaces the pressed button. */
function Player({ name, video, muted, onTold }: PlayerProps) {
  if (video.kind === "service") {
    return (
      <iframe
        ref={focus}
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
    <video
      ref={focus}
      className={styles.player}
      controls={!onTold}
      tabIndex={onTold && -1}
      autoPlay
      playsInline
      muted={muted}
      aria-label={name}
      onTimeUpdate={onTold}
      onPlay={onTold}
      onPause={onTold}
    >
      {video.sources.map(({ src, type, media }) => (
        <source key={src} src={src} type={type} media={media} />
      ))}
      {video.captions && <track kind="captions" srcLang="en" src={video.captions} default />}
    </video>
  );
}

const clock = (seconds: number) => `0:${String(Math.floor(seconds)).padStart(2, "0")}`;

function Bar({ words, stages, film, at, paused }: Staged & { film: HTMLVideoElement; at: number; paused: boolean }) {
  const text = stages.findLast(({ from }) => from <= at)?.text;
  const length = film.duration || 0;
  const toggle = () => void (paused ? film.play() : film.pause());
  const seek = ({ target }: ChangeEvent<HTMLInputElement>) =>
    Object.assign(film, { currentTime: Number(target.value) });
  return (
    <div className={styles.bar}>
      <button type="button" className={ui.round} aria-label={paused ? words.play : words.pause} onClick={toggle}>
        <Icon name={paused ? "play" : "pause"} />
      </button>
      <input type="range" max={length} step="0.1" value={at} aria-label={words.seek} onChange={seek} />
      <span>{`${clock(at)} / ${clock(length)}`}</span>
      <strong>{text}</strong>
    </div>
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
  const { name, video, muted = false, staged, className = "" } = props;
  const [playing, setPlaying] = useState(false);
  const play = () => setPlaying(true);
  const tell = ({ currentTarget: film }: Told) => ({ film, at: film.currentTime, paused: film.paused });
  const [told, setTold] = useState<ReturnType<typeof tell>>();
  return (
    <>
      <div className={`${styles.frame} ${className}`}>
        {playing && video ? (
          <Player name={name} video={video} muted={muted} onTold={staged && ((event) => setTold(tell(event)))} />
        ) : (
          // A page's first film takes a phone 100 ms: the press is painted before. Safari lets sound begin in the press alone.
          <Poster {...props} onPlay={() => (muted ? startTransition(play) : play())} />
        )}
      </div>
      {staged && told && <Bar {...staged} {...told} />}
    </>
  );
}
