/**
 * Parts of the app that are fetched when they are needed. A fetch that failed was tried again under another address by
 * then (scripts/fetchAgain.ts): browsers remember a module that they could not fetch.
 */
import { fileIn, reportPageFailure } from "./pageFailures";

/** A part's code could not be fetched. Reported already. */
export class PartMissing extends Error {
  override name = "PartMissing";
}

export async function fetchPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    reportPageFailure("chunk", fileIn(cause) ?? "unknown.js");
    throw new PartMissing(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
