import { heads as words } from "@/content/heads";

export type PageName = "home" | "landing" | "thankYou" | "privacy" | "terms" | "complaint" | "notFound";

export interface PageHead {
  title: string;
  description: string;
}

/** Title and description of each page, for the pre-rendered head and for changes of page. */
export const heads: Record<PageName, PageHead> = words;
