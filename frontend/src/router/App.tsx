import { type ComponentType, lazy, StrictMode, Suspense, useState } from "react";
import { useLocation } from "react-router-dom";
import { Arriving } from "@/components/HydrateLater";
import { Toasts } from "@/components/Toasts";
import type { PageName } from "@/pages/heads";
import { type Landing, landings } from "@/pages/landings";
import type { TreatmentPlace } from "@/pages/treatmentPlaces";
import { ROUTES, type Route, routeOf } from "./routes";
import { usePageHead } from "./usePageHead";
import { useScrollTarget } from "./useScrollTarget";

/** Each page's code is a chunk of its own. Until it has arrived, hydration waits and the pre-rendered page stays. */
const PAGES: Record<Exclude<PageName, "landing" | "treatment">, ComponentType> = {
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

const treatmentPage = (place: TreatmentPlace) =>
  lazy(async () => {
    const { TreatmentPage } = await import("@/pages/TreatmentPage");
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

/** Everything inside the router, in the browser and while pre-rendering. */
export function App() {
  usePageHead();
  useScrollTarget();
  const { key, pathname } = useLocation();
  const [arrival] = useState(key);
  // The route table is a list of exact paths: the router's own matching would be code for nothing.
  const Page = pageOf(routeOf(pathname));
  return (
    <StrictMode>
      <Toasts page={pathname}>
        <Arriving value={key === arrival}>
          <Suspense fallback={null}>
            <Page />
          </Suspense>
        </Arriving>
      </Toasts>
    </StrictMode>
  );
}
