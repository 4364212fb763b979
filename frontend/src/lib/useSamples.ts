import { createContext, useContext } from "react";
import { pageSettings } from "./settings";

/** Set while pre-rendering alone: every page is written twice, with and without sample content. */
export const SamplesContext = createContext<boolean | null>(null);

/** Whether this page shows content that is still marked as a sample. The same while pre-rendering and hydrating. */
export function useSamples(): boolean {
  return useContext(SamplesContext) ?? pageSettings().showSamples;
}
