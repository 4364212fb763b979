import { Component, createRef, type ReactNode } from "react";
import { ChunkLoadError } from "@/lib/chunks";
import { fileIn, reportPageFailure } from "@/lib/pageFailures";

interface Props {
  className?: string | undefined;
  /** What is painted before this component is, where that can fail: the root's content. */
  painted?: HTMLElement | undefined;
  /** Called after a failure. */
  onFailed?: (() => void) | undefined;
  children: ReactNode;
}

interface Kept {
  nodes: readonly ChildNode[];
  /** What has the focus. */
  field: HTMLElement | null;
}

const keptOf = (box: HTMLElement): Kept => ({
  nodes: [...box.childNodes],
  field: document.activeElement as HTMLElement | null,
});

/**
 * An error boundary whose fallback is the pre-rendered HTML: when a part of the page fails, or its code cannot be fetched,
 * what was painted stays, with all that was typed into it. Its links and its form work without React; the rest does not.
 */
export class StaticFallbackBoundary extends Component<Props, { failed: boolean }, Kept | null> {
  override state = { failed: false };
  readonly #box = createRef<HTMLDivElement>();
  readonly #painted = this.props.painted && keptOf(this.props.painted);

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidMount(): void {
    if (this.state.failed && this.#painted) {
      this.#putBack(this.#painted);
    }
  }

  /** While it is still on the page: React removes it right after. */
  override getSnapshotBeforeUpdate(_props: Props, { failed }: { failed: boolean }): Kept | null {
    const box = this.#box.current;
    return box && this.state.failed && !failed ? keptOf(box) : null;
  }

  override componentDidUpdate(_props: Props, _state: unknown, kept: Kept | null): void {
    if (kept) {
      this.#putBack(kept);
    }
  }

  override componentDidCatch(cause: unknown): void {
    if (!(cause instanceof ChunkLoadError)) {
      reportPageFailure("boundary", fileIn(cause) ?? "unknown.js");
    }
    this.props.onFailed?.();
  }

  #putBack({ nodes, field }: Kept): void {
    this.#box.current?.append(...nodes);
    // Whoever is typing goes on where they were: engines keep the place in a field.
    field?.focus({ preventScroll: true });
  }

  override render(): ReactNode {
    const { failed } = this.state;
    return (
      <div ref={this.#box} className={this.props.className} data-hydration-failed={failed ? "" : undefined}>
        {failed ? null : this.props.children}
      </div>
    );
  }
}
