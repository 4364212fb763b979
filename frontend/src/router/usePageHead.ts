import { useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";
import { loadChunk } from "@/lib/chunks";
import { logFailure } from "@/lib/log";
import { isUnlisted, routeOf } from "./routes";

/** The pre-rendered head is already right, so the other heads are fetched with the first change of page. */
async function setHead(pathname: string, isCurrent: () => boolean): Promise<void> {
  const { headOf, writeHead } = await loadChunk(() => import("@/pages/belowTheFold"));
  const route = routeOf(pathname);
  const head = headOf(route);
  if (isCurrent()) {
    writeHead({ ...head, canonical: route.canonical, isUnlisted: isUnlisted(route.page) });
  }
}

/** Keeps title, description, canonical path and robots in sync with the current page. */
export function usePageHead(): void {
  const { pathname } = useLocation();
  const written = useRef(import.meta.env.DEV ? "" : pathname);
  useEffect(() => {
    if (written.current === pathname) {
      return;
    }
    written.current = pathname;
    setHead(pathname, () => written.current === pathname).catch((cause: unknown) =>
      logFailure("Loading the page's title", cause),
    );
  }, [pathname]);
}
