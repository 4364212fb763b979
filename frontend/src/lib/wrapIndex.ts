/** An index that runs past either end of `count` items comes back in at the other. */
export function wrapIndex(index: number, count: number): number {
  return ((index % count) + count) % count;
}
