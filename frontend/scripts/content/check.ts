/** Checks the whole folder of content before a build, so that whoever edits it reads sentences and no stack trace. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkFolder } from "./folder.ts";
import { ContentError, readContent } from "./read.ts";
import { FILES } from "./schema.ts";

/** What is wrong in `folder`: a sentence for each file that cannot be used, else for what two files say differently. */
export function problemsIn(folder: string): string[] {
  const files = new Set([...Object.keys(FILES), ...filesIn(folder)]);
  const alone = [...files].flatMap((file) => problemsOf(() => read(folder, file)));
  return alone.length > 0 ? alone : problemsOf(() => checkFolder(folder));
}

function filesIn(folder: string): string[] {
  return ["", "landing/", "text/"].flatMap((part) =>
    readdirSync(join(folder, part))
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => part + name),
  );
}

function read(folder: string, file: string): void {
  const path = join(folder, file);
  if (!existsSync(path)) {
    throw new ContentError(`content/${file}: the file is missing.`);
  }
  readContent(file, readFileSync(path, "utf8"));
}

function problemsOf(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (cause) {
    if (cause instanceof ContentError) {
      return [cause.message];
    }
    throw cause;
  }
}
