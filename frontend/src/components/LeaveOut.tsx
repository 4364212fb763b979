import { Component, type ReactNode } from "react";
import { fileIn, reportPageFailure } from "@/lib/pageFailures";
import { PartMissing } from "@/lib/parts";

/** An error boundary around what the page can do without, such as toasts: it is left out when it fails. */
export class LeaveOut extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(cause: unknown): void {
    if (!(cause instanceof PartMissing)) {
      reportPageFailure("boundary", fileIn(cause) ?? "unknown.js");
    }
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
