/** Apart from the events themselves: the first script reports some, and does without React. */
import { useEffect } from "react";
import { report } from "./events";

/** Reports one view of the page. */
export function usePageView(title: string): void {
  useEffect(() => {
    report({ kind: "page_view", title, path: window.location.pathname });
  }, [title]);
}
