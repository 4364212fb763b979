import { createHash } from "node:crypto";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { contentFiles } from "./scripts/content/plugin.ts";
import { pictureFolders } from "./scripts/pictures/plugin.ts";
import { routerWithoutDisplayNames } from "./scripts/stripDisplayNames.ts";

/** A class's name and four characters of its file: without Vite's line numbers, style sheet, scripts and pages are smaller. */
function shortName(name: string, file: string): string {
  const hash = createHash("sha256")
    .update(relative(import.meta.dirname, file))
    .digest("base64url");
  return `${name}_${hash.slice(0, 4)}`;
}

const api = process.env.API_URL ?? "http://127.0.0.1:8000";

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [contentFiles(), pictureFolders(), routerWithoutDisplayNames(), react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { proxy: { "/api": api } },
  css: { modules: { generateScopedName: shortName } },
  build: {
    target: "es2022",
    manifest: true,
    // The content security policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One small style sheet for all pages: one request before the first paint, and one order of layers.
    cssCodeSplit: false,
    // The pages' first script. The server keeps files of this name forever, as it does those of assets/.
    rolldownOptions: {
      output: isSsrBuild
        ? {}
        : {
            entryFileNames: "arrival-[hash].js",
            // One file, whatever else of the app imports its modules.
            codeSplitting: {
              groups: [
                { name: "arrival", tags: ["$initial"], priority: 3 },
                // Compressed together they are smaller, and browsers keep them over our own changes.
                {
                  name: "react",
                  test: /node_modules\/(react|react-dom|scheduler|react-router)\//,
                  priority: 2,
                },
                // What every page has around it, in one file instead of many small ones.
                { name: "frame", test: /src\/pages\/SitePage\.tsx$/, priority: 1 },
              ],
            },
          },
    },
  },
  test: {
    environment: "jsdom",
    include: ["{src,scripts}/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test-setup.ts"],
    restoreMocks: true,
    unstubGlobals: true,
  },
}));
