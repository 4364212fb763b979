/** The twelve upper front teeth seen from the front, and what each finding does to them. Sizes in px of the drawing. */
const MIDDLE = 300;
const EDGE = 270;

/** From the middle outwards. `rise`: how far the edge lies above the middle's; `shade`: how far it turns from the light. */
const TEETH = [
  { width: 80, height: 132, rise: 0, shade: 0 },
  { width: 60, height: 112, rise: 7, shade: 0.03 },
  { width: 60, height: 124, rise: 3, shade: 0.07 },
  { width: 45, height: 101, rise: 19, shade: 0.15 },
  { width: 36, height: 90, rise: 30, shade: 0.25 },
  { width: 28, height: 78, rise: 40, shade: 0.36 },
];

export function healthy() {
  return [-1, 1].flatMap((side) => {
    let from = 0;
    return TEETH.map((tooth, place) => {
      const x = MIDDLE + side * (from + tooth.width / 2);
      from += tooth.width;
      return { ...tooth, side, place, x, edge: EDGE - tooth.rise, turn: 0, wear: 0, stain: 0, gone: false };
    });
  });
}

const around = (next, spread) => (next() - 0.5) * 2 * spread;

/** `next` gives the case's own numbers from 0 to 1. */
export const FINDINGS = {
  missing: (teeth) =>
    teeth.map((tooth) => ({ ...tooth, stain: 0.2, gone: tooth.side === -1 && tooth.place === 1 })),
  worn: (teeth, next) =>
    teeth.map((tooth) => ({ ...tooth, stain: 0.35, wear: (tooth.place < 3 ? 0.2 : 0.08) + next() * 0.1 })),
  stained: (teeth, next) => teeth.map((tooth) => ({ ...tooth, stain: 0.8 + next() * 0.2 })),
  gapped: (teeth) =>
    teeth.map((tooth) => ({
      ...tooth,
      stain: 0.15,
      width: tooth.width * 0.83,
      x: tooth.x + tooth.side * (tooth.place === 0 ? 3 : 0),
    })),
  crowded: (teeth, next) =>
    teeth.map((tooth) => {
      const front = tooth.place < 4;
      return {
        ...tooth,
        stain: 0.3,
        x: MIDDLE + (tooth.x - MIDDLE) * 0.9 + (front ? around(next, 4) : 0),
        turn: front ? around(next, 13) : 0,
        edge: tooth.edge + (front ? around(next, 13) : 0),
      };
    }),
  full: (teeth, next) =>
    teeth.map((tooth) => ({
      ...tooth,
      stain: 0.7,
      wear: 0.12 + next() * 0.16,
      turn: around(next, 6),
      gone: tooth.place === 3 || tooth.place === 5 || (tooth.side === -1 && tooth.place === 1),
    })),
};
