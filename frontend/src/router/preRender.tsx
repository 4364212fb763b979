import { prerender } from "react-dom/static";
import { StaticRouter } from "react-router-dom";
import { StaticFallbackBoundary } from "@/components/StaticFallbackBoundary";
import { DEFAULT_SETTINGS, NUMBER_TOKENS } from "@/lib/pageSettings";
import { SettingsContext } from "@/lib/settings";
import { App } from "./App";

/** The HTML of a path, or of another page at it, with sample content or without, after all of its code has loaded. */
export async function preRender(path: string, samples: boolean, page = <App />): Promise<string> {
  const settings = { ...DEFAULT_SETTINGS, ...NUMBER_TOKENS, showSamples: samples };
  const errors: unknown[] = [];
  const { prelude } = await prerender(
    <SettingsContext value={settings}>
      {/* As src/entry-client.tsx has it. */}
      <StaticFallbackBoundary>
        <StaticRouter location={path}>{page}</StaticRouter>
      </StaticFallbackBoundary>
    </SettingsContext>,
    {
      // React would move large boundaries to the end, with inline scripts that put them in their places.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      // An error inside a boundary does not reject: the browser would render the boundary instead.
      onError: (error) => void errors.push(error),
    },
  );
  if (errors.length > 0) {
    throw errors[0];
  }
  return new Response(prelude).text();
}
