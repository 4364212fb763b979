import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { fetchPart } from "@/lib/parts";

// biome-ignore lint/suspicious/noExplicitAny: React's own constraint of `lazy`.
type Components<Name extends string> = Record<Name, ComponentType<any>>;

/** A component of a part that is fetched later. `instead`: what stands in for the part when it cannot be fetched. */
export function late<Name extends string, Part extends Components<Name>>(
  load: () => Promise<Part>,
  name: Name,
  instead?: Components<Name>,
): LazyExoticComponent<Part[Name]> {
  return lazy(async () => {
    const part = fetchPart(load);
    const found = instead ? await part.catch(() => instead as Part) : await part;
    return { default: found[name] };
  });
}
