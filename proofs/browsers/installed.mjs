/** Where the machine keeps its browsers, and what to install on Debian where one is missing. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = (process.env.PATH ?? "").split(":");
const LIBRARIES = "/usr/lib";

const program = (...names) =>
  names.flatMap((name) => FOLDERS.map((folder) => join(folder, name))).find(existsSync) ?? null;

/** WebKitGTK's own small browser: /usr/lib/ARCHITECTURE/webkit2gtk-VERSION/MiniBrowser, the newest version. */
function miniBrowser() {
  const found = readdirSync(LIBRARIES)
    .map((part) => join(LIBRARIES, part))
    .filter((folder) => folder.endsWith("-linux-gnu"))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((folder) => /\/webkit2?gtk-[\d.]+$/.test(folder))
    .map((folder) => join(folder, "MiniBrowser"));
  return found.filter(existsSync).sort().at(-1) ?? null;
}

/** By engine: what its journeys need, null where it is missing, and the Debian packages that have it. */
export const NEEDED = {
  Chromium: {
    packages: "chromium",
    programs: { chromium: program("chromium", "chromium-browser", "google-chrome") },
  },
  Firefox: { packages: "firefox-esr", programs: { firefox: program("firefox-esr", "firefox") } },
  WebKit: {
    packages: "webkit2gtk-driver xvfb matchbox-window-manager",
    programs: {
      driver: program("WebKitWebDriver"),
      browser: existsSync(LIBRARIES) ? miniBrowser() : null,
      screen: program("Xvfb"),
      windowManager: program("matchbox-window-manager"),
    },
  },
};

export const isInstalled = (engine) => Object.values(NEEDED[engine].programs).every(Boolean);
