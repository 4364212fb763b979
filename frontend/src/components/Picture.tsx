import type { ReactEventHandler } from "react";
import type { PictureFile } from "@/lib/pictures";
import styles from "./Picture.module.css";

interface Props {
  file: PictureFile;
  alt: string;
  /** How wide it is shown, as the sizes attribute takes it. */
  sizes: string;
  /** For pictures above the fold; the others load lazily. */
  eager?: boolean;
  /** Another picture in its place, on the screens that `media` names as in CSS. */
  instead?: { file: PictureFile; media: string } | undefined;
  className?: string | undefined;
  onLoad?: ReactEventHandler<HTMLImageElement>;
  onError?: ReactEventHandler<HTMLImageElement>;
}

const srcset = ({ base, widths }: PictureFile) => widths.map((width) => `${base}-${width}.avif ${width}w`).join(", ");

/** A drawing; for browsers that know no AVIF one width (scripts/pictures/plugin.ts). */
const fallback = ({ base, widths }: PictureFile) => (widths.length > 0 ? `${base}-${widths.at(-2)}.webp` : base);

/** Reserves its box and fills it with its colour, so that nothing moves when the picture loads. */
export function Picture({ file, alt, sizes, eager = false, instead, className, onLoad, onError }: Props) {
  return (
    <picture className={`${styles.picture} ${className ?? ""}`}>
      {instead && (
        <>
          <source media={instead.media} type="image/avif" srcSet={srcset(instead.file)} sizes={sizes} />
          <source media={instead.media} srcSet={fallback(instead.file)} />
        </>
      )}
      {file.widths.length > 0 && <source type="image/avif" srcSet={srcset(file)} sizes={sizes} />}
      <img
        src={fallback(file)}
        width={file.width}
        height={file.height}
        alt={alt}
        loading={eager ? "eager" : "lazy"}
        fetchPriority={eager ? "high" : undefined}
        decoding="async"
        className={styles.image}
        onLoad={onLoad}
        onError={onError}
      />
      {/* After the picture: before it, Chromium's preload scanner loses the sources and fetches the fallback as well. */}
      <svg className={styles.colour} aria-hidden="true">
        <rect width="100%" height="100%" fill={file.colour} />
      </svg>
    </picture>
  );
}
