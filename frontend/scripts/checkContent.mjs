/** Begins each build: prints what is wrong in content/ (or the folder given), a sentence a file, and exits with 1. */
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const { module } = await runnerImport("./scripts/content/check.ts", {
  root,
  configFile: false,
  logLevel: "error",
});
const problems = module.problemsIn(process.argv[2] ?? `${root}content`);
for (const problem of problems) {
  console.error(problem);
}
process.exitCode = problems.length === 0 ? 0 : 1;
