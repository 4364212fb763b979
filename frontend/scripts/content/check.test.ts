import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { problemsIn } from "./check.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "content-"));
  cpSync("content", folder, { recursive: true });
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function change(file: string, from: string, to: string) {
  const text = readFileSync(join(folder, file), "utf8");
  expect(text).toContain(from);
  writeFileSync(join(folder, file), text.replace(from, to));
}

describe("the check of the content folder", () => {
  it("has a sentence for each file that cannot be used, and for one that is missing", () => {
    change("prices.yaml", "price: 175", "price: free");
    change("faq.yaml", "faq:", "faq: [");
    rmSync(join(folder, "site.yaml"));
    const problems = problemsIn(folder);
    expect(problems).toHaveLength(3);
    expect(problems).toContain("content/prices.yaml: lists.home.prices.dental-implants.price must be a number.");
    expect(problems).toContain("content/site.yaml: the file is missing.");
  });

  it("stops a build before it begins, with the sentence alone", () => {
    change("prices.yaml", "price: 175", "price: free");
    const ended = spawnSync(process.execPath, ["scripts/content.mjs", "check", folder], { encoding: "utf8" });
    expect(ended.status).toBe(1);
    expect(ended.stdout).toBe("");
    expect(ended.stderr).toBe("content/prices.yaml: lists.home.prices.dental-implants.price must be a number.\n");
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(scripts.build).toMatch(/^node scripts\/content\.mjs check && /);
  });
});
