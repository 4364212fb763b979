import { useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";
import { logFailure } from "@/lib/log";
import { fetchPart } from "@/lib/parts";
import { isUnlisted, routeOf } from "./routes";

function setAttribute(selector: string, name: string, value: string): void {
  document.head.querySelector(selector)?.setAttribute(name, value);
}

/** The pre-rendered head is already right, so the other heads are fetched with the first change of page. */
async function setHead(pathname: string, isCurrent: () => boolean): Promise<void> {
  const { headOf } = await fetchPart(() => import("@/pages/belowTheFold"));
  const route = routeOf(pathname);
  const { title, description } = await headOf(route);
  if (!isCurrent()) {
    return;
  }
  document.title = title;
  setAttribute('meta[name="description"]', "content", description);
  const link = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  // Only the pre-rendered link holds the site's own address.
  setAttribute('link[rel="canonical"]', "href", new URL(route.canonical, link?.href).href);
  setAttribute('meta[name="robots"]', "content", isUnlisted(route.page) ? "noindex" : "index, follow");
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
