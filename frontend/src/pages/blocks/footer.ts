/** The foot of every page: far below at first, but its buttons must work when somebody gets there. */
import { late } from "@/components/late";

export const FooterBlock = late("footer", async () => (await import("./FooterBlock")).FooterBlock, {
  soon: true,
});
