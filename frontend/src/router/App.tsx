import { StrictMode, Suspense } from "react";
import { Route, Routes } from "react-router-dom";
import { Toasts } from "@/components/Toasts";
import { PAGES } from "./pageModules";
import { NOT_FOUND, ROUTES } from "./routes";
import { usePageHead } from "./usePageHead";
import { useScrollTarget } from "./useScrollTarget";

/** Everything inside the router, in the browser and while pre-rendering alike. */
export function App() {
  usePageHead();
  useScrollTarget();
  return (
    <StrictMode>
      <Toasts>
        <Suspense fallback={null}>
          <Routes>
            {[...ROUTES, NOT_FOUND].map(({ path, page }) => {
              const Page = PAGES[page];
              return <Route key={path} path={path} element={<Page />} />;
            })}
          </Routes>
        </Suspense>
      </Toasts>
    </StrictMode>
  );
}
