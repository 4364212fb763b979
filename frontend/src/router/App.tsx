import { type ComponentType, lazy, StrictMode, Suspense, useState } from "react";
import { Route, Routes, useLocation } from "react-router-dom";
import { Arriving } from "@/components/HydrateLater";
import { Toasts } from "@/components/Toasts";
import type { PageName } from "@/pages/heads";
import { type Landing, landings } from "@/pages/landings";
import { NOT_FOUND, ROUTES, type Route as SiteRoute } from "./routes";
import { usePageHead } from "./usePageHead";
import { useScrollTarget } from "./useScrollTarget";

/** Each page's code is a chunk of its own. Until it has arrived, hydration waits and the pre-rendered page stays. */
const PAGES: Record<Exclude<PageName, "landing">, ComponentType> = {
  home: lazy(() => import("@/pages/HomePage").then(({ HomePage }) => ({ default: HomePage }))),
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

/** A landing page's words are a chunk too, fetched side by side with the page's code. */
const landingPage = ({ name, load }: Landing) =>
  lazy(async () => {
    const [{ LandingPage }, words] = await Promise.all([import("@/pages/LandingPage"), load()]);
    return { default: () => <LandingPage name={name} words={words} /> };
  });

const LANDING_PAGES = new Map<Landing, ComponentType>(
  landings.map((landing) => [landing, landingPage(landing)]),
);

export function pageOf(route: SiteRoute): ComponentType {
  return (route.page === "landing" ? LANDING_PAGES.get(route.landing) : PAGES[route.page]) ?? PAGES.notFound;
}

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
              {[...ROUTES, NOT_FOUND].map((route) => {
                const Page = pageOf(route);
                return <Route key={route.path} path={route.path} element={<Page />} />;
              })}
            </Routes>
          </Suspense>
        </Arriving>
      </Toasts>
    </StrictMode>
  );
}
