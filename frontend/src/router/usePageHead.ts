import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { heads } from "@/pages/heads";
import { isUnlisted, routeOf } from "./routes";

function setAttribute(selector: string, name: string, value: string): void {
  document.head.querySelector(selector)?.setAttribute(name, value);
}

/** Keeps title, description, canonical path and robots in step with the page shown. */
export function usePageHead(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const route = routeOf(pathname);
    const { title, description } = heads[route.page];
    document.title = title;
    setAttribute('meta[name="description"]', "content", description);
    const link = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
    // The site's own address stands in the pre-rendered link alone.
    setAttribute('link[rel="canonical"]', "href", new URL(route.canonical, link?.href).href);
    setAttribute('meta[name="robots"]', "content", isUnlisted(route.page) ? "noindex" : "index, follow");
  }, [pathname]);
}
