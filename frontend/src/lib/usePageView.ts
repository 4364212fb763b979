import { useEffect } from "react";
import { report } from "./events";

/** Reports one view of the page that calls it. */
export function usePageView(title: string): void {
  useEffect(() => {
    report({ kind: "page_view", title, path: window.location.pathname });
  }, [title]);
}
