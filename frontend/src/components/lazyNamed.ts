import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { loadChunk } from "@/lib/chunks";

// biome-ignore lint/suspicious/noExplicitAny: React's own constraint of `lazy`.
export type Components<Name extends string> = Record<Name, ComponentType<any>>;

/** A component of a chunk that is fetched later. `instead`: what stands in for the chunk when it cannot be fetched. */
export function lazyNamed<Name extends string, Chunk extends Components<Name>>(
  load: () => Promise<Chunk>,
  name: Name,
  instead?: Components<Name>,
): LazyExoticComponent<Chunk[Name]> {
  return lazy(async () => {
    const chunk = loadChunk(load);
    const found = instead ? await chunk.catch(() => instead as Chunk) : await chunk;
    return { default: found[name] };
  });
}
