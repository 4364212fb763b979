import { useRef, useState } from "react";
import { Band } from "@/components/Band";
import styles from "./ClinicShowcase.module.css";
import { type ClinicImage, GalleryImage } from "./GalleryImage";
import { Lightbox } from "./Lightbox";
import { type ClinicTour, Tour } from "./Tour";

interface ClinicFigure {
  id: string;
  value: string;
  words: string;
  sample: boolean;
}

interface Props {
  id: string;
  words: Content<"gallery.yaml">["words"];
  images: readonly ClinicImage[];
  figures: readonly ClinicFigure[];
  /** Null until the clinic has been filmed. */
  tour: ClinicTour | null;
}

const LARGE = "(min-width: 1240px) 858px, (min-width: 768px) 72vw, 94vw";
const SMALL = "(min-width: 1240px) 286px, (min-width: 768px) 24vw, 32vw";

/** The film of the clinic, one large picture and three small ones, which open in a lightbox, and the clinic in figures. */
export function ClinicShowcase({ id, words, images, figures, tour }: Props) {
  const [opened, setOpened] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  function open(index: number): void {
    setOpened(index);
    dialog.current?.showModal();
  }
  return (
    <Band
      id={id}
      words={words}
      tone="paper"
      sample={figures.some(({ sample }) => sample)}
      aside={
        figures.length > 0 && (
          <ul className={styles.figures} aria-label={words.figures}>
            {figures.map(({ id, value, words: of }) => (
              <li key={id} className={styles.figure}>
                <strong className={styles.value}>{value}</strong> <span>{of}</span>
              </li>
            ))}
          </ul>
        )
      }
    >
      {tour && <Tour words={{ ...words.film, ...words.tour }} tour={tour} />}
      <ul className={styles.gallery} aria-label={words.gallery}>
        {images.map((image, index) => (
          <li key={image.id} className={styles.room}>
            <GalleryImage words={words} image={image} sizes={index === 0 ? LARGE : SMALL} onOpen={() => open(index)} />
          </li>
        ))}
      </ul>
      <Lightbox dialog={dialog} words={words} images={images} shown={opened} onShow={setOpened} />
    </Band>
  );
}
