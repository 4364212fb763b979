import { type ComponentType, lazy, StrictMode, Suspense, useState } from "react";
import { Route, Routes, useLocation } from "react-router-dom";
import { Arriving } from "@/components/HydrateLater";
import { Toasts } from "@/components/Toasts";
import type { PageName } from "@/pages/heads";
import { NOT_FOUND, ROUTES } from "./routes";
import { usePageHead } from "./usePageHead";
import { useScrollTarget } from "./useScrollTarget";

/** Each page's code is a chunk of its own. Until it has arrived, hydration waits and the pre-rendered page stays. */
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

/** Everything inside the router, in the browser and while pre-rendering. */
export function App() {
  usePageHead();
  useScrollTarget();
  const { key } = useLocation();
  const [arrival] = useState(key);
  return (
    <StrictMode>
      <Toasts>
        <Arriving value={key === arrival}>
          <Suspense fallback={null}>
            <Routes>
              {[...ROUTES, NOT_FOUND].map(({ path, page }) => {
                const Page = PAGES[page];
                return <Route key={path} path={path} element={<Page />} />;
              })}
            </Routes>
          </Suspense>
        </Arriving>
      </Toasts>
    </StrictMode>
  );
}
