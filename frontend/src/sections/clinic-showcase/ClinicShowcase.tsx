import { useRef, useState } from "react";
import { Band, type BandWords } from "@/components/Band";
import { Picture } from "@/components/Picture";
import { VideoPlayer } from "@/components/VideoPlayer";
import type { PictureFile } from "@/lib/pictures";
import type { VideoSource } from "@/lib/videos";
import styles from "./ClinicShowcase.module.css";
import { type ClinicFigure, Figures } from "./Figures";
import type { ClinicImage } from "./GalleryImage";
import { GalleryImage } from "./GalleryImage";
import { Lightbox, type LightboxWords } from "./Lightbox";

export interface ShowcaseWords extends BandWords, LightboxWords {
  video: { name: string; caption: string; play: string; soon: string };
  /** Name of the list of pictures. */
  gallery: string;
  /** Name of the list of figures. */
  figures: string;
  /** Precedes the picture's caption in its button's name. */
  enlarge: string;
  /** Shown while a picture loads, and when it has failed. */
  loading: string;
  retry: string;
}

interface Props {
  id: string;
  words: ShowcaseWords;
  video: VideoSource | null;
  poster: PictureFile;
  images: readonly ClinicImage[];
  figures: readonly ClinicFigure[];
}

/** The presentation video (loaded on click), four pictures that open in a lightbox, and the clinic in figures. */
export function ClinicShowcase({ id, words, video, poster, images, figures }: Props) {
  const [opened, setOpened] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  function open(index: number): void {
    setOpened(index);
    dialog.current?.showModal();
  }
  return (
    <Band id={id} words={words} tone="paper">
      <figure className={styles.video}>
        <VideoPlayer
          name={words.video.name}
          words={words.video}
          video={video}
          muted
          poster={<Picture file={poster} alt="" sizes="(min-width: 1240px) 1160px, 100vw" />}
        />
        <figcaption className={styles.caption}>{words.video.caption}</figcaption>
      </figure>
      <ul className={styles.gallery} aria-label={words.gallery}>
        {images.map((image, index) => (
          <li key={image.id}>
            <GalleryImage words={words} image={image} onOpen={() => open(index)} />
          </li>
        ))}
      </ul>
      <Figures label={words.figures} figures={figures} />
      <Lightbox dialog={dialog} words={words} images={images} shown={opened} onShow={setOpened} />
    </Band>
  );
}
