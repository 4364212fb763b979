/** Checks the whole folder of content before a build, so that whoever edits it reads sentences and no stack trace. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ContentError, readContent } from "./read.ts";
import { FILES } from "./schema.ts";

/** What is wrong in `folder`: one sentence for each file that cannot be used. */
export function problemsIn(folder: string): string[] {
  const present = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return [...new Set([...Object.keys(FILES), ...present])].flatMap((file) => {
    const path = join(folder, file);
    if (!existsSync(path)) {
      return [`content/${file}: the file is missing.`];
    }
    try {
      readContent(file, readFileSync(path, "utf8"));
      return [];
    } catch (cause) {
      if (cause instanceof ContentError) {
        return [cause.message];
      }
      throw cause;
    }
  });
}
