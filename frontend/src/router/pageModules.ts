/** Each page's code in a chunk of its own. Until it is there, hydration waits and the pre-rendered page stays. */
import { type ComponentType, lazy } from "react";
import type { PageName } from "@/pages/heads";

export const PAGES: Record<PageName, ComponentType> = {
  home: lazy(() => import("@/pages/HomePage").then(({ HomePage }) => ({ default: HomePage }))),
  landing: lazy(() => import("@/pages/LandingPage").then(({ LandingPage }) => ({ default: LandingPage }))),
  thankYou: lazy(() =>
    import("@/pages/ThankYouPage").then(({ ThankYouPage }) => ({ default: ThankYouPage })),
  ),
  privacy: lazy(() => import("@/pages/PrivacyPage").then(({ PrivacyPage }) => ({ default: PrivacyPage }))),
  terms: lazy(() => import("@/pages/TermsPage").then(({ TermsPage }) => ({ default: TermsPage }))),
  complaint: lazy(() =>
    import("@/pages/ComplaintPage").then(({ ComplaintPage }) => ({ default: ComplaintPage })),
  ),
  notFound: lazy(() =>
    import("@/pages/NotFoundPage").then(({ NotFoundPage }) => ({ default: NotFoundPage })),
  ),
};
