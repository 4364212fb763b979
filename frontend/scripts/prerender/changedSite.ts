/** For tests: the site as it is pre-rendered from a changed copy of content/. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import type * as server from "../../src/entry-server.tsx";
import { contentFiles } from "../content/plugin.ts";
import { pictureFolders } from "../pictures/plugin.ts";

const root = process.cwd();

export interface ChangedSite {
  site: typeof server;
  remove: () => void;
}

/** Builds the site after `change` has edited the copy. A wrong copy rejects with the build's sentence. */
export async function changedSite(change: (folder: string) => void): Promise<ChangedSite> {
  const parent = mkdtempSync(join(tmpdir(), "site-"));
  const folder = join(parent, "content");
  // Inside node_modules, where the built file finds its packages.
  const outDir = join(root, "node_modules", `.${basename(parent)}`);
  const remove = () => {
    rmSync(parent, { recursive: true });
    rmSync(outDir, { recursive: true, force: true });
  };
  try {
    cpSync(join(root, "content"), folder, { recursive: true });
    change(folder);
    await build({
      configFile: false,
      logLevel: "silent",
      plugins: [contentFiles(folder), pictureFolders(), react()],
      resolve: { alias: { "@": join(root, "src") } },
      build: { ssr: "src/entry-server.tsx", outDir, emptyOutDir: true },
    });
    return { site: await import(/* @vite-ignore */ join(outDir, "entry-server.js")), remove };
  } catch (cause) {
    remove();
    throw cause;
  }
}
