/**
 * Blocks below the fold. They are pre-rendered with the page; their code and words come when they are near the
 * viewport or touched, and only then are they hydrated. Until then their HTML stands as it is.
 */
import { type ComponentType, lazy, memo, type ReactNode, Suspense } from "react";
import { layOutSoon, whenIdle } from "@/lib/layOut";
import { onTheSpot } from "@/lib/onTheSpot";
import styles from "./late.module.css";
import { createArrival, whenNear } from "./lateArrival";

interface Loaded<Props> {
  default: ComponentType<Props>;
}

const preloads: (() => Promise<void>)[] = [];

/** Loads every late block, so that pre-rendering shows them. */
export async function loadLateBlocks(): Promise<void> {
  await Promise.all(preloads.map((preload) => preload()));
}

/** `soon`: fetched as soon as the page has everything else, for buttons that must work at the first press. */
interface Options {
  soon?: boolean;
}

/** `name` must be unique on its page. Give it props that stay the same objects: a change would empty it. */
export function late<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
  { soon = false }: Options = {},
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
  const arrive = (element: HTMLElement | null) => {
    if (element === null) {
      return undefined;
    }
    layOutSoon(element);
    if (soon) {
      whenIdle(arrival.want);
    }
    return whenNear(element, arrival.want);
  };
  const Late = (props: Props): ReactNode => (
    <div data-late={name} className={styles.late} ref={arrive}>
      <Suspense fallback={null}>
        <Block {...(props as Props & Record<string, unknown>)} />
      </Suspense>
    </div>
  );
  return memo(Late) as unknown as ComponentType<Props>;
}
