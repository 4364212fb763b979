import { home } from "@/content/home";
import { landing } from "@/content/landing";
import { notFound } from "@/content/notFound";
import { thankYou } from "@/content/thankYou";

export type PageName = "home" | "landing" | "thankYou" | "notFound";

export interface PageHead {
  title: string;
  description: string;
}

/** Title and description of each page, for the pre-rendered head and for changes of page. */
export const heads: Record<PageName, PageHead> = {
  home: home.head,
  landing: landing.head,
  thankYou: thankYou.head,
  notFound: notFound.head,
};
