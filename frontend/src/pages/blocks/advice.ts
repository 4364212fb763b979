/** The pages' blocks that advise: prices, reasons, the journey, questions. Each is fetched when it is near. */
import { late } from "@/components/late";

export const TreatmentsBlock = late(
  "treatments",
  async () => (await import("./TreatmentsBlock")).TreatmentsBlock,
);
export const SpecialOffersBlock = late("offers", async () => (await import("./OffersBlock")).OffersBlock);
export const TurkeyBlock = late("turkey", async () => (await import("./TurkeyBlock")).TurkeyBlock);
export const ReasonsBlock = late("reasons", async () => (await import("./ReasonsBlock")).ReasonsBlock);
export const JourneyBlock = late("journey", async () => (await import("./JourneyBlock")).JourneyBlock);
export const PromotionsBlock = late("promotions", async () => (await import("./OffersBlock")).OffersBlock);
/** Its button must work when somebody gets there. */
export const FormBlock = late("form", async () => (await import("./FormBlock")).FormBlock, { soon: true });
export const FaqBlock = late("faq", async () => (await import("./FaqBlock")).FaqBlock);
