import { type ComponentType, lazy, StrictMode, Suspense, useEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import { Arriving } from "@/components/HydrateLater";
import { KeepPainted } from "@/components/KeepPainted";
import { late } from "@/components/late";
import { Toasts } from "@/components/Toasts";
import { fetchPart } from "@/lib/parts";
import { noteShownPage } from "@/lib/shownPage";
import type { PageName } from "@/pages/heads";
import { type Landing, landings } from "@/pages/landings";
import type { TreatmentPlace } from "@/pages/treatmentPlaces";
import { ROUTES, type Route, routeOf } from "./routes";
import { usePageHead } from "./usePageHead";
import { useScrollTarget } from "./useScrollTarget";

const loadFirst = () => import("@/pages/firstPages");

/** Each page's code is fetched with it. Until it has arrived, hydration waits and the pre-rendered page stays. */
const PAGES: Record<Exclude<PageName, "landing" | "treatment">, ComponentType> = {
  home: late(loadFirst, "HomePage"),
  thankYou: late(() => import("@/pages/ThankYouPage"), "ThankYouPage"),
  privacy: late(() => import("@/pages/PrivacyPage"), "PrivacyPage"),
  terms: late(() => import("@/pages/TermsPage"), "TermsPage"),
  beforeYouDecide: late(() => import("@/pages/BeforeYouDecidePage"), "BeforeYouDecidePage"),
  notFound: late(() => import("@/pages/NotFoundPage"), "NotFoundPage"),
};

/** A landing page's words are small, and come with the app. */
const LANDING_PAGES = new Map<Landing, ComponentType>(
  landings.map((landing) => [
    landing,
    lazy(async () => {
      const [{ LandingPage }, words] = await Promise.all([fetchPart(loadFirst), fetchPart(landing.load)]);
      return { default: () => <LandingPage name={landing.name} words={words} /> };
    }),
  ]),
);

const treatmentPage = (place: TreatmentPlace) =>
  lazy(async () => {
    const { TreatmentPage } = await fetchPart(loadFirst);
    return { default: () => <TreatmentPage {...place} /> };
  });

const TREATMENT_PAGES = new Map<TreatmentPlace, ComponentType>(
  ROUTES.flatMap((route) =>
    route.page === "treatment" ? [[route.treatment, treatmentPage(route.treatment)] as const] : [],
  ),
);

export function pageOf(route: Route): ComponentType {
  switch (route.page) {
    case "landing":
      return LANDING_PAGES.get(route.landing) ?? PAGES.notFound;
    case "treatment":
      return TREATMENT_PAGES.get(route.treatment) ?? PAGES.notFound;
    default:
      return PAGES[route.page];
  }
}

/** A page that cannot be shown in the app is opened as a document of its own: the server has it whole. */
const openAsDocument = () => window.location.reload();

/** Everything inside the router, in the browser and while pre-rendering. */
export function App() {
  usePageHead();
  useScrollTarget();
  const { key, pathname } = useLocation();
  const [arrival] = useState(key);
  const [dead, setDead] = useState<string | null>(null);
  // The route table is a list of exact paths: the router's own matching would be code for nothing.
  const Page = pageOf(routeOf(pathname));
  const arriving = key === arrival;
  useEffect(() => {
    noteShownPage(pathname);
  }, [pathname]);
  useEffect(() => {
    if (dead !== null && dead !== pathname) {
      openAsDocument();
    }
  }, [dead, pathname]);
  return (
    <StrictMode>
      <Toasts page={pathname}>
        <Arriving value={arriving}>
          <KeepPainted onFailed={() => (arriving ? setDead(pathname) : openAsDocument())}>
            <Suspense fallback={null}>
              <Page />
            </Suspense>
          </KeepPainted>
        </Arriving>
      </Toasts>
    </StrictMode>
  );
}
