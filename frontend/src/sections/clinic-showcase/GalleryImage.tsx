import { Icon } from "@/components/Icon";
import { Picture } from "@/components/Picture";
import type { PictureFile } from "@/lib/pictures";
import styles from "./GalleryImage.module.css";
import { useGalleryImage } from "./useGalleryImage";

/** A picture of the gallery. */
export interface ClinicImage {
  id: string;
  alt: string;
  caption: string;
  file: PictureFile;
}

interface Props {
  words: { enlarge: string; loading: string; retry: string };
  image: ClinicImage;
  /** How wide it is shown, as the sizes attribute takes it. */
  sizes: string;
  onOpen: () => void;
}

/** A picture that loads near the viewport, fades in, and opens in the lightbox. A failed one can be retried. */
export function GalleryImage({ words, image, sizes, onOpen }: Props) {
  const { frame, state, attempt, onLoad, onError, retry } = useGalleryImage();
  return (
    <figure className={styles.figure}>
      <div ref={frame} className={styles.frame} data-state={state}>
        {state !== "loaded" && state !== "idle" && (
          <p className={styles.placeholder} aria-hidden={state === "loading"}>
            {words.loading}
          </p>
        )}
        {state === "failed" ? (
          <button type="button" className={styles.retry} onClick={retry}>
            <Icon name="retry" />
            {words.retry}
          </button>
        ) : (
          <button
            type="button"
            className={styles.open}
            aria-haspopup="dialog"
            aria-label={`${words.enlarge}: ${image.caption}`}
            onClick={onOpen}
          >
            {state !== "idle" && (
              <Picture
                key={attempt}
                file={image.file}
                alt={image.alt}
                sizes={sizes}
                className={styles.image}
                onLoad={onLoad}
                onError={onError}
              />
            )}
            <Icon name="enlarge" className={styles.sign} />
          </button>
        )}
        <noscript>
          <Picture file={image.file} alt={image.alt} sizes={sizes} className={styles.still} />
        </noscript>
      </div>
      <figcaption className={styles.caption}>{image.caption}</figcaption>
    </figure>
  );
}
