/** Addresses of the flags, one small picture each, fetched when it comes into view. */
const files = import.meta.glob<string>("/node_modules/country-flag-icons/3x2/*.svg", {
  eager: true,
  import: "default",
  query: "?url",
});

/** The picture of a region's flag; undefined when there is none. */
export function flagUrl(iso: string): string | undefined {
  return files[`/node_modules/country-flag-icons/3x2/${iso}.svg`];
}
