/** The pages' blocks below the fold, each fetched when it is near. */
import { late } from "@/components/late";

export const TreatmentsBlock = late(
  "treatments",
  async () => (await import("./blocks/TreatmentsBlock")).TreatmentsBlock,
);
export const SpecialOffersBlock = late(
  "offers",
  async () => (await import("./blocks/OffersBlock")).OffersBlock,
);
export const TurkeyBlock = late("turkey", async () => (await import("./blocks/TurkeyBlock")).TurkeyBlock);
export const ReasonsBlock = late("reasons", async () => (await import("./blocks/ReasonsBlock")).ReasonsBlock);
export const JourneyBlock = late("journey", async () => (await import("./blocks/JourneyBlock")).JourneyBlock);
export const PromotionsBlock = late(
  "promotions",
  async () => (await import("./blocks/OffersBlock")).OffersBlock,
);
export const FaqBlock = late("faq", async () => (await import("./blocks/FaqBlock")).FaqBlock);
