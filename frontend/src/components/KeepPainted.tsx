import { Component, createRef, type ReactNode } from "react";
import { fileIn, reportPageFailure } from "@/lib/pageFailures";
import { PartMissing } from "@/lib/parts";

interface Props {
  className?: string | undefined;
  /** Given the element once it is on the page. */
  mounted?: ((element: HTMLElement | null) => void) | undefined;
  /** What is painted before this component is, where that can fail: the root's content. */
  painted?: HTMLElement | undefined;
  /** Called after a failure. */
  onFailed?: (() => void) | undefined;
  children: ReactNode;
}

/**
 * An error boundary that takes nothing away: when a part of the page fails, or its code cannot be fetched, what was painted
 * stays as it is, with all that was typed into it. Its links and its form work without us; the rest of it does not.
 */
export class KeepPainted extends Component<Props, { failed: boolean }> {
  override state = { failed: false };
  readonly #box = createRef<HTMLDivElement>();
  #kept: ChildNode[] | null = null;
  #field: HTMLElement | undefined;

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidMount(): void {
    this.props.mounted?.(this.#box.current);
    this.#putBack();
  }

  override componentDidUpdate(): void {
    this.#putBack();
  }

  override componentDidCatch(cause: unknown): void {
    if (!(cause instanceof PartMissing)) {
      reportPageFailure("boundary", fileIn(cause) ?? "unknown.js");
    }
    this.props.onFailed?.();
  }

  /** React has removed what it could not finish; nothing was painted since. */
  #putBack(): void {
    const box = this.#box.current;
    if (box && this.#kept && box.childNodes.length === 0) {
      box.append(...this.#kept);
      // Whoever is typing goes on where they were: engines keep the place in a field.
      this.#field?.focus({ preventScroll: true });
    }
  }

  override render(): ReactNode {
    const { className, painted, children } = this.props;
    if (this.state.failed) {
      // Only now, while it is still on the page: React removes it when this is shown.
      this.#kept ??= [...((this.#box.current ?? painted)?.childNodes ?? [])];
      this.#field ??= document.activeElement as HTMLElement;
    }
    return (
      <div ref={this.#box} className={className} data-kept-as-painted={this.state.failed ? "" : undefined}>
        {this.state.failed ? null : children}
      </div>
    );
  }
}
