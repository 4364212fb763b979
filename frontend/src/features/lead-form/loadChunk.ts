/** Loads the form's late chunk once; a failed load may be tried again. */
export type Chunk = typeof import("./chunk");

let loading: Promise<Chunk> | null = null;

export function loadChunk(): Promise<Chunk> {
  loading ??= import("./chunk").catch((cause: unknown) => {
    loading = null;
    throw cause;
  });
  return loading;
}
