import { createHash } from "node:crypto";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { contentFiles } from "./scripts/content/plugin.ts";
import { fetchAgain } from "./scripts/fetchAgain.ts";
import { foldRuntime } from "./scripts/foldRuntime.ts";
import { pictureFolders } from "./scripts/pictures/plugin.ts";
import { routerWithoutDisplayNames } from "./scripts/stripDisplayNames.ts";

const named = new Map<string, string>();

/** A class's name and two characters of its file: without Vite's line numbers, style sheet, scripts and pages are smaller. */
function shortName(name: string, file: string): string {
  const hash = createHash("sha256")
    .update(relative(import.meta.dirname, file))
    .digest("base64url");
  const short = `${name}_${hash.slice(0, 2)}`;
  if ((named.get(short) ?? file) !== file) {
    throw new Error(`${named.get(short)} and ${file} both have a class ${short}: take more characters`);
  }
  named.set(short, file);
  return short;
}

const anyOf = (...patterns: string[]) => new RegExp(patterns.join("|"));

/** The app with the frame of every page, and what other pages share with the late files. */
const APP = anyOf(
  "src/entry-client[.]tsx$",
  "src/pages/SitePage[.]tsx$",
  "node_modules/(react|react-dom|scheduler|react-router)/",
  "content/landing/",
  "src/components/button[.]module",
  "src/lib/(format|offers|receipt|usePageView)[.]ts$",
  "content/legal[.]yaml",
);

/** What every page has below its first screen, and the small things that several of the late files need. */
const SECTIONS = anyOf("src/pages/belowTheFold[.]ts$", "content/consent[.]yaml", "src/lib/consent[.]ts$");

const api = process.env.API_URL ?? "http://127.0.0.1:8000";

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    contentFiles(),
    pictureFolders(),
    routerWithoutDisplayNames(),
    fetchAgain(),
    foldRuntime(),
    react(),
  ],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { proxy: { "/api": api } },
  css: { modules: { generateScopedName: shortName } },
  build: {
    target: "es2022",
    manifest: true,
    // The content security policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    // lib/boot.ts fetches what the app needs first; every later part is one file.
    modulePreload: false,
    // One small style sheet for all pages: one request before the first paint, and one order of layers.
    cssCodeSplit: false,
    // The pages' first script. The server keeps files of this name forever, as it does those of assets/.
    rolldownOptions: {
      output: isSsrBuild
        ? {}
        : {
            entryFileNames: "arrival-[hash].js",
            // Flags without their names: ad blockers take Andorra's, "AD-…", for what it is not.
            assetFileNames: ({ originalFileNames: [source = ""] }) =>
              source.includes("country-flag-icons")
                ? "assets/flag-[hash][extname]"
                : "assets/[name]-[hash][extname]",
            // Few files, so that there is little that a phone can miss. Each takes what it needs along, unless a file
            // before it in this list has it; the late ones depend on the first two alone (scripts/prerender.mjs checks).
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
                { name: "legal", test: /src\/pages\/(Privacy|Terms)Page\.tsx$/, priority: 4 },
                // Names that no ad blocker knows.
                {
                  name: "extras",
                  test: /src\/components\/(RadixTip|ToastViewport)\.tsx$|src\/pages\/consent\.tsx$/,
                  priority: 3,
                },
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
    maxWorkers: "100%", // the default leaves a core free: half of a small machine
  },
}));
