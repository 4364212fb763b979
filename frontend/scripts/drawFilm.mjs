/** Draws the presentation film anew: implant, abutment and crown come together. Needs the bundled Chromium. */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { browserLaunch } from "./browserLaunch.mjs";
import { shoot } from "./draw/filmPage.mjs";
import { webmOf } from "./draw/webm.mjs";

const FILM = { width: 1280, height: 720, rate: 30, seconds: 7 };
/** The parts of the hero's drawing, on its 400 × 430 units. */
const PATHS = {
  gum: "M-400 262c150-14 260 26 400 6 60-22 96-10 138-6 40 4 84 4 124 0 42-4 78-16 138 6 140 20 250-20 400-6v268H-400Z",
  bone: "M-400 306c150-10 270 22 400 6 64-18 100-8 140-5 40 3 80 3 120 0 40-3 76-13 140 5 130 16 250-16 400-6v224H-400Z",
  crown:
    "M138 120c-10-44 8-78 34-80 12-1 18 8 28 8s16-9 28-8c26 2 44 36 34 80-5 22-8 40-20 48-10 6-26-2-42-2s-32 8-42 2c-12-8-15-26-20-48Z",
  shank: "M184 184h32l6 32h-44Z",
  collar: "M176 216h48l-4 14h-40Z",
  implant: "M176 246h48l-8 142c-2 14-30 14-32 0Z",
};
/** Encoders are for secure pages only, and this address counts as one. */
const ADDRESS = "http://localhost/";
const images = fileURLToPath(new URL("../src/images/", import.meta.url));

const browser = await chromium.launch(await browserLaunch());
const page = await browser.newPage();
await page.route(ADDRESS, (route) =>
  route.fulfill({ contentType: "text/html", body: "<title>Film</title>" }),
);
await page.goto(ADDRESS);
const { chunks, poster } = await page.evaluate(shoot, { ...FILM, paths: PATHS });
await browser.close();

await mkdir(`${images}videos`, { recursive: true });
await writeFile(
  `${images}videos/presentation.webm`,
  webmOf(chunks, { ...FILM, duration: FILM.seconds * 1000 }),
);
await writeFile(`${images}videos/presentation.webp`, Buffer.from(poster));
