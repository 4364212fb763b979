/** Title and description of each page, for the pre-rendered head and for changes of page. */
import { heads } from "#content/heads.yaml";
import type { Landing } from "./landings";

/** A page with content of its own kind, or a landing page. */
export type Page = { page: keyof typeof heads } | { page: "landing"; landing: Landing };
export type PageName = Page["page"];

export async function headOf(shown: Page): Promise<{ title: string; description: string }> {
  return shown.page === "landing" ? (await shown.landing.load()).head : heads[shown.page];
}
