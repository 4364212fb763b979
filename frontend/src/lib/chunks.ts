/**
 * Chunks of the app, fetched when they are needed. A fetch that failed was tried again under another address by
 * then (scripts/fetchAgain.ts): browsers remember a module that they could not fetch.
 */
import { fileIn, reportPageFailure } from "./pageFailures";

/** A chunk could not be fetched. Reported already. */
export class ChunkLoadError extends Error {
  override name = "ChunkLoadError";
}

export async function loadChunk<Chunk>(load: () => Promise<Chunk>): Promise<Chunk> {
  try {
    return await load();
  } catch (cause) {
    reportPageFailure("chunk", fileIn(cause) ?? "unknown.js");
    throw new ChunkLoadError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
