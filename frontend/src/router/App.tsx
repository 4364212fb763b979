import { type ComponentType, StrictMode, Suspense, useEffect, useLayoutEffect, useState } from "react";
import { Route, Routes, useLocation } from "react-router-dom";
import { IsInitialPage } from "@/components/HydrationBoundary";
import { type Components, lazyNamed } from "@/components/lazyNamed";
import { StaticFallbackBoundary } from "@/components/StaticFallbackBoundary";
import { Toasts } from "@/components/Toasts";
import { isOpenedShown, noteShownPage } from "@/lib/shownPage";
import { loadWholeSheet } from "@/lib/wholeSheet";
import { texts } from "@/pages/contentPages";
import type { PageName } from "@/pages/heads";
import { NOT_FOUND, ROUTES, type Route as SiteRoute } from "./routes";
import { usePageHead } from "./usePageHead";
import { useScrollTarget } from "./useScrollTarget";

/** A page's code; after a change of page with the rules that the document was made without. */
function lazyPage<Name extends string>(load: () => Promise<Components<Name>>, name: Name) {
  const whole = () => Promise.all([load(), import.meta.env.SSR || isOpenedShown() || loadWholeSheet()]);
  return lazyNamed(() => whole().then(([chunk]) => chunk), name);
}

const loadFirst = () => import("@/pages/firstPages");
const LandingPage = lazyPage(loadFirst, "LandingPage");
const TreatmentPage = lazyPage(loadFirst, "TreatmentPage");

/** Each page's code is fetched with it. Until it has arrived, hydration waits and the pre-rendered page stays. */
const PAGES: Record<Exclude<PageName, "landing" | "text" | "treatment">, ComponentType> = {
  home: lazyPage(loadFirst, "HomePage"),
  thankYou: lazyPage(() => import("@/pages/ThankYouPage"), "ThankYouPage"),
  beforeYouDecide: lazyPage(() => import("@/pages/BeforeYouDecidePage"), "BeforeYouDecidePage"),
  notFound: lazyPage(() => import("@/pages/NotFoundPage"), "NotFoundPage"),
};

/** By name: a page of text, with the file that has its words. */
const TEXTS = Object.fromEntries(
  Object.entries(texts).map(([name, { load }]) => {
    const parts = () => Promise.all([import("@/pages/TextPage"), load()]);
    return [name, lazyPage(() => parts().then(([{ textPage }, text]) => ({ Text: textPage(name, text) })), "Text")];
  }),
) as Record<string, ComponentType>;

function pageOf(route: SiteRoute) {
  if (route.page === "landing") {
    return <LandingPage key={route.landing.name} {...route.landing} />;
  }
  if (route.page === "treatment") {
    return <TreatmentPage key={route.path} {...route.treatment} />;
  }
  const Page = route.page === "text" ? TEXTS[route.text] : PAGES[route.page];
  return Page && <Page key={route.canonical} />;
}

/** One element for all paths of a page: going from one to another keeps it. */
export function Pages() {
  return (
    <Routes>
      {[...ROUTES, NOT_FOUND].map((route) => (
        <Route key={route.path} path={route.path} element={pageOf(route)} />
      ))}
    </Routes>
  );
}

/** A page that cannot be shown in the app is opened as a document of its own: the server has it whole. */
const reloadFromServer = () => window.location.reload();

/** Everything inside the router, in the browser and while pre-rendering. */
export function App() {
  usePageHead();
  useScrollTarget();
  const { key, pathname, search } = useLocation();
  const [arrival] = useState(key);
  const [failedPath, setFailedPath] = useState<string | null>(null);
  const isInitialPage = key === arrival;
  // Before anybody can go on from here.
  useLayoutEffect(() => {
    noteShownPage(pathname + search);
  }, [pathname, search]);
  useEffect(() => {
    if (failedPath !== null && failedPath !== pathname) {
      reloadFromServer();
    }
  }, [failedPath, pathname]);
  return (
    <StrictMode>
      <Toasts page={pathname}>
        <IsInitialPage value={isInitialPage}>
          <StaticFallbackBoundary onFailed={() => (isInitialPage ? setFailedPath(pathname) : reloadFromServer())}>
            <Suspense fallback={null}>
              <Pages />
            </Suspense>
          </StaticFallbackBoundary>
        </IsInitialPage>
      </Toasts>
    </StrictMode>
  );
}
