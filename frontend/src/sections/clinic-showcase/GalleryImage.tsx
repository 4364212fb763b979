import { useEffect, useRef, useState } from "react";
import buttons from "@/components/button.module.css";
import { Icon } from "@/components/Icon";
import { Picture } from "@/components/Picture";
import type { PictureFile } from "@/lib/pictures";
import { whenNear } from "@/lib/whenNear";
import styles from "./GalleryImage.module.css";

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

/** As specified: within 50 px of the viewport, a tenth of the box visible. */
const NEAR = { rootMargin: "50px", threshold: 0.1 };

/** Idle until near the viewport, then loading, then loaded or failed; `retry` goes back to loading. */
function useLoading() {
  const frame = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"idle" | "loading" | "loaded" | "failed">("idle");
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    return frame.current === null ? undefined : whenNear(frame.current, NEAR, () => setState("loading"));
  }, []);
  function retry(): void {
    setAttempt(attempt + 1);
    setState("loading");
  }
  return { frame, state, setState, attempt, retry };
}

/** A picture that loads near the viewport, fades in, and opens in the lightbox. A failed one can be retried. */
export function GalleryImage({ words, image, sizes, onOpen }: Props) {
  const { frame, state, setState, attempt, retry } = useLoading();
  return (
    <figure className={styles.figure}>
      <div ref={frame} className={styles.frame} data-state={state}>
        {state !== "loaded" && state !== "idle" && (
          <p className={styles.placeholder} aria-hidden={state === "loading"}>
            {words.loading}
          </p>
        )}
        {state === "failed" ? (
          <button type="button" className={`${buttons.quiet} ${styles.retry}`} onClick={retry}>
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
                onLoad={() => setState("loaded")}
                onError={() => setState("failed")}
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
