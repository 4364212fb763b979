/** Draws the illustrated cases anew, into src/images/cases/. The same seeds give the same files. */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { drawArch } from "./draw/arch.mjs";

const CASES = [
  { name: "one-missing-tooth", finding: "missing", seed: 11 },
  { name: "worn-edges", finding: "worn", seed: 23 },
  { name: "staining", finding: "stained", seed: 31 },
  { name: "gaps", finding: "gapped", seed: 47 },
  { name: "crowding", finding: "crowded", seed: 58 },
  { name: "full-arch", finding: "full", seed: 66 },
];
const folder = fileURLToPath(new URL("../src/images/cases/", import.meta.url));

await mkdir(folder, { recursive: true });
for (const { name, finding, seed } of CASES) {
  await writeFile(`${folder}${name}-before.svg`, drawArch({ finding, seed, restored: false }));
}
// Every case ends the same: a whole arch.
await writeFile(`${folder}restored.svg`, drawArch({ finding: "missing", seed: 1, restored: true }));
