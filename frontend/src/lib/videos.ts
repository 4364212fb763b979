/** The films that content names, by file name without its ending, each in one or more formats. */
interface VideoFile {
  kind: "file";
  /** `media` is the screen that one is for, as in CSS; the browser uses the first that fits and that it can play. */
  sources: readonly { src: string; type: string; media?: string }[];
  /** A WebVTT file; without one the clip must have no speech. */
  captions?: string;
}

/** A video service's embedding address. The build tells the server to allow it in the content security policy. */
interface VideoService {
  kind: "service";
  embedUrl: string;
}

export type VideoSource = VideoFile | VideoService;

const FILES: Record<string, string> = import.meta.glob("/images/videos/*.{webm,mp4,vtt}", {
  eager: true,
  query: "?url",
  import: "default",
});
/** The browser uses the first that it can play. */
const FORMATS = [
  ["webm", "video/webm"],
  ["mp4", "video/mp4"],
] as const;

const isAddress = (video: string) => video.startsWith("https://");

/** The video services whose players content embeds, for the content security policy. */
export function embedOrigins(videos: readonly (string | null)[]): string[] {
  const origins = videos.flatMap((video) => (video && isAddress(video) ? [new URL(video).origin] : []));
  return [...new Set(origins)];
}

const sourcesOf = (name: string) =>
  FORMATS.flatMap(([ending, type]) => {
    const src = FILES[`/images/videos/${name}.${ending}`];
    return src ? [{ src, type }] : [];
  });

/** Where a film stands upright, if it has a cut in that shape. */
export const UPRIGHT = "(max-width: 767px)";

/** The film with this name, and for phones its upright cut (NAME-upright) where there is one. */
export function videoInBothShapes(name: string): VideoSource | null {
  const video = videoSource(name);
  if (video?.kind !== "file") {
    return video;
  }
  const upright = sourcesOf(`${name}-upright`).map((source) => ({ ...source, media: UPRIGHT }));
  return { ...video, sources: [...upright, ...video.sources] };
}

/**
 * The film with this name, or at a video service's address. Null without a name. A name without a file fails the build.
 */
export function videoSource(name: string | null): VideoSource | null {
  if (name === null) {
    return null;
  }
  if (isAddress(name)) {
    return { kind: "service", embedUrl: name };
  }
  const sources = sourcesOf(name);
  if (sources.length === 0) {
    throw new Error(`There is no film "${name}" in images/videos.`);
  }
  const captions = FILES[`/images/videos/${name}.vtt`];
  return captions ? { kind: "file", sources, captions } : { kind: "file", sources };
}
