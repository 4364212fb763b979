/** Reads and checks one file of content/. An error is one sentence that names the file and the field. */
import { parse, YAMLParseError } from "yaml";
import type { z } from "zod";
import { FILES, LANDING, TEXT } from "./schema.ts";

/** The content cannot be used; the message is meant for whoever edits it. */
export class ContentError extends Error {}

/** The error that says this in one sentence; without a field it is about the whole file. */
export function sentence(file: string, field: string, problem: string): ContentError {
  return new ContentError(`content/${file}: ${field ? `${field} ` : ""}${problem}.`);
}

function parsed(file: string, text: string): unknown {
  try {
    // The core schema leaves dates as the text they are written in.
    return parse(text, { schema: "core" });
  } catch (cause) {
    if (cause instanceof YAMLParseError) {
      const line = cause.linePos?.[0].line ?? 1;
      throw sentence(file, "", `line ${line} cannot be read (${cause.code.toLowerCase().replaceAll("_", " ")})`);
    }
    throw cause;
  }
}

function problemOf(issue: z.core.$ZodIssue): { field: string; problem: string } {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return { field: [...path, issue.keys[0]].join("."), problem: "is not a field that this file knows" };
  }
  if (issue.code === "invalid_key") {
    return { field: path.join("."), problem: issue.issues[0]?.message ?? issue.message };
  }
  const missing = issue.code === "invalid_type" && issue.input === undefined;
  return { field: path.join("."), problem: missing ? `is missing (${issue.message})` : issue.message };
}

type Schema = z.ZodType<Record<string, unknown>>;
const SCHEMAS: Record<string, Schema> = FILES;

/** Of the files in folders of their own. */
const FOLDERS: Record<string, Schema> = { landing: LANDING, text: TEXT };

function schemaOf(file: string): Schema | undefined {
  const [folder = ""] = file.split("/", 1);
  return FOLDERS[folder] ?? SCHEMAS[file];
}

/** Parses the content of `file` from its text. Throws a `ContentError` for the first problem. */
export function readContent(file: string, text: string): Record<string, unknown> {
  const schema = schemaOf(file);
  if (!schema) {
    throw sentence(file, "", `is not one of ${Object.keys(FILES).join(", ")}`);
  }
  const result = schema.safeParse(parsed(file, text), { reportInput: true });
  if (result.success) {
    return result.data;
  }
  const [issue] = result.error.issues;
  const { field, problem } = issue ? problemOf(issue) : { field: "", problem: "cannot be used" };
  throw sentence(file, field, problem);
}
