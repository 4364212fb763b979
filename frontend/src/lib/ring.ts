/** The index `step` further on in a ring of `count`. */
export function around(index: number, step: number, count: number): number {
  return (((index + step) % count) + count) % count;
}
