/** Regenerates the types of content/*.yaml, after a change of scripts/content/schema.ts. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const { module } = await runnerImport("./scripts/content/types.ts", {
  root,
  configFile: false,
  logLevel: "error",
});
await writeFile(`${root}src/content/files.d.ts`, module.contentTypes());
