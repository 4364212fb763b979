/**
 * Blocks below the fold. They are pre-rendered with the page; their code and words come when they are near the
 * viewport or touched, and only then are they hydrated. Until then their HTML stands as it is.
 */
import { type ComponentType, lazy, memo, type ReactNode, Suspense } from "react";
import { onTheSpot } from "@/lib/onTheSpot";
import { createArrival, whenNear } from "./lateArrival";

interface Loaded<Props> {
  default: ComponentType<Props>;
}

const preloads: (() => Promise<void>)[] = [];

/** Loads every late block, so that pre-rendering shows them. */
export async function loadLateBlocks(): Promise<void> {
  await Promise.all(preloads.map((preload) => preload()));
}

/** `name` must be unique on its page. Give it props that stay the same objects: a change would empty it. */
export function late<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let here: Loaded<Props> | null = null;
  const fetchBlock = async (): Promise<Loaded<Props>> => {
    here ??= { default: await load() };
    return here;
  };
  preloads.push(async () => {
    await fetchBlock();
  });
  const arrival = createArrival(name, fetchBlock);
  const Block = lazy(() => (here ? onTheSpot(here) : arrival.wait()));
  const Late = (props: Props): ReactNode => (
    <div data-late={name} ref={(element) => whenNear(element, arrival.want)}>
      <Suspense fallback={null}>
        <Block {...(props as Props & Record<string, unknown>)} />
      </Suspense>
    </div>
  );
  return memo(Late) as unknown as ComponentType<Props>;
}
