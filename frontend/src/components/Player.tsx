import { useEffect, useRef } from "react";
import type { VideoSource } from "@/lib/videos";
import styles from "./Player.module.css";

interface Props {
  name: string;
  video: VideoSource;
  muted: boolean;
}

/** Plays at once and takes the focus: it stands where the pressed button was. */
export function Player({ name, video, muted }: Props) {
  const player = useRef<HTMLVideoElement & HTMLIFrameElement>(null);
  useEffect(() => player.current?.focus(), []);
  if (video.kind === "service") {
    return (
      <iframe
        ref={player}
        className={styles.player}
        title={name}
        src={video.embedUrl}
        sandbox="allow-scripts allow-same-origin allow-presentation"
        allow="autoplay; fullscreen; picture-in-picture"
        // The site's name alone, not the page: without any, video services refuse to play.
        referrerPolicy="strict-origin"
      />
    );
  }
  return (
    <video
      ref={player}
      className={styles.player}
      controls
      autoPlay
      playsInline
      muted={muted}
      aria-label={name}
    >
      {video.sources.map(({ src, type }) => (
        <source key={src} src={src} type={type} />
      ))}
      {video.captions && <track kind="captions" srcLang="en" src={video.captions} default />}
    </video>
  );
}
