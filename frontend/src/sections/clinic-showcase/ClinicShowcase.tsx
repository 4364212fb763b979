import { startTransition, useState } from "react";
import { Band } from "@/components/Band";
import styles from "./ClinicShowcase.module.css";
import { type ClinicFilm, FilmFigure } from "./FilmFigure";
import { type ClinicImage, GalleryImage } from "./GalleryImage";
import { Lightbox } from "./Lightbox";

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
  films: readonly ClinicFilm[];
}

const LARGE = "(min-width: 1240px) 858px, (min-width: 768px) 72vw, 94vw";
const SMALL = "(min-width: 1240px) 286px, (min-width: 768px) 24vw, 32vw";

/** Films, one large picture and three small ones, which open in a lightbox, and the clinic in figures. */
export function ClinicShowcase({ id, words, images, figures, films }: Props) {
  const [opened, setOpened] = useState<number | null>(null);
  const open = (index: number) => startTransition(() => setOpened(index));
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
      <div className={styles.films}>
        {films.map((film) => (
          <FilmFigure key={film.id} film={film} words={words.film} />
        ))}
      </div>
      <ul className={styles.gallery} aria-label={words.gallery}>
        {images.map((image, index) => (
          <li key={image.id} className={styles.room}>
            <GalleryImage words={words} image={image} sizes={index === 0 ? LARGE : SMALL} onOpen={() => open(index)} />
          </li>
        ))}
      </ul>
      {opened !== null && (
        <Lightbox words={words} images={images} shown={opened} onShow={setOpened} onClose={() => setOpened(null)} />
      )}
    </Band>
  );
}
