import { basename, join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { shortName } from "./scripts/classNames.mjs";
import { contentFiles } from "./scripts/content/plugin.ts";
import { fetchAgain } from "./scripts/fetchAgain.ts";
import { flags } from "./scripts/flags.ts";
import { pictureFolders } from "./scripts/pictures/plugin.ts";
import { routerWithoutDisplayNames } from "./scripts/stripDisplayNames.ts";

const folder = import.meta.dirname;
const anyOf = (...patterns: string[]) => new RegExp(patterns.join("|"));

/** The app with the frame of every page, and what other pages share with the late files. */
const APP = anyOf(
  "src/entry-client[.]tsx$",
  "src/pages/SitePage[.]tsx$",
  "node_modules/(react|react-dom|scheduler|react-router)/",
  "content/landing/",
  "src/components/button[.]module",
  "src/lib/(lateSheet|offers|receipt|usePageView)[.]ts$",
  "content/legal[.]yaml",
);

/** What every page has below its first screen, and the small things that several of the late files need. */
const SECTIONS = anyOf(
  "src/pages/belowTheFold[.]ts$",
  "src/sections/thank-you/Details[.]tsx$",
  "content/consent[.]yaml",
  "src/lib/consent[.]ts$",
);

const ROUTER = "node_modules/react-router-dom/dist/index.mjs";

const api = process.env.API_URL ?? "http://127.0.0.1:8000";

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [contentFiles(), pictureFolders(), flags(), routerWithoutDisplayNames(), fetchAgain(), react()],
  resolve: { alias: { "@": join(folder, "src") } },
  server: { proxy: { "/api": api } },
  css: {
    modules: command === "build" ? { generateScopedName: shortName } : {},
  },
  build: {
    target: "es2022",
    manifest: true,
    // The content security policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    // lib/boot.ts fetches what the app needs first; every later part is one file.
    modulePreload: { polyfill: false, resolveDependencies: () => [] },
    // One order of layers. The build writes into each page what its kind needs (scripts/prerender/styles.mjs).
    cssCodeSplit: false,
    cssMinify: true,
    // The pages' first script. The server keeps files of this name forever, as it does those of assets/.
    rolldownOptions: {
      output: isSsrBuild
        ? {}
        : {
            entryFileNames: "arrival-[hash].js",
            // Few files, so that there is little that a phone can miss. Each takes what it needs along, unless a file
            // before it in this list has it; the late ones depend on the first two alone.
            codeSplitting: {
              groups: [
                { name: "arrival", tags: ["$initial"], priority: 9 },
                {
                  name: "app",
                  test: APP,
                  priority: 8,
                },
                { name: "page", test: /src\/pages\/firstPages\.ts$/, priority: 7 },
                { name: "sections", test: SECTIONS, priority: 6 },
                { name: "form", test: /src\/features\/lead-form\/chunk\.ts$/, priority: 5 },
                { name: "ThankYouPage", test: /src\/pages\/ThankYouPage\.tsx$/, priority: 5 },
                { name: "legal", test: /src\/sections\/legal\/|src\/pages\/TextPage[.]tsx$/, priority: 4 },
                { name: (file) => `text-${basename(file, ".yaml")}`, test: /content\/text\//, priority: 4 },
                // Names that no ad blocker knows.
                {
                  name: "extras",
                  test: /src\/components\/ToastViewport\.tsx$|src\/pages\/consent\.tsx$/,
                  priority: 3,
                },
                // Sample brands alone have one: production never fetches it.
                { name: "tip", test: /src\/components\/RadixTip\.tsx$/, priority: 2 },
              ],
            },
          },
    },
  },
  test: {
    restoreMocks: true,
    testTimeout: 20_000, // a busy machine's: beside the Python tests some take four times as long
    unstubGlobals: true,
    maxWorkers: "100%", // the default leaves a core free: half of a small machine
    projects: [
      {
        extends: true,
        // Virtual machines share what is loaded: jsdom takes longer to load than most files to run.
        // They cannot `require` what react-router-dom names for Node.
        resolve: { alias: { "react-router-dom": join(folder, ROUTER) } },
        test: {
          name: "pages",
          pool: "vmThreads",
          environment: "jsdom",
          include: ["src/**/*.test.{ts,tsx}"],
          setupFiles: ["src/test-setup.ts"],
        },
      },
      {
        extends: true,
        // Most time would go into loading the same modules for each file; what a test stubs is restored after it.
        test: { name: "node", isolate: false, include: ["scripts/**/*.test.ts"] },
      },
    ],
  },
}));
