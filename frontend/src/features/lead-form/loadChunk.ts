/** Loads the form's late chunk once; a failed load may be tried again. */
export type Chunk = typeof import("./chunk");

let loading: Promise<Chunk> | null = null;

/** The chunk's own start is a task, and its use the next: in one they would hold a slow phone up. */
function inNextTask(chunk: Chunk): Promise<Chunk> {
  return new Promise((resolve) => setTimeout(resolve, 0, chunk));
}

export function loadChunk(): Promise<Chunk> {
  loading ??= import("./chunk").then(inNextTask).catch((cause: unknown) => {
    loading = null;
    throw cause;
  });
  return loading;
}
