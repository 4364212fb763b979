import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FORMATS, filesOf, IMAGES, MANIFEST, type Manifest } from "./plugin.ts";

const KB = 1000;
const manifest: Manifest = JSON.parse(readFileSync(MANIFEST, "utf8"));
const pictures = Object.entries(manifest).flatMap(([folder, { colours, ...shape }]) =>
  Object.keys(colours).map((name) => ({ folder, name, shape })),
);
const weight = (path: string) => statSync(path).size;
const widest = (format: string) =>
  pictures.map(({ folder, name, shape }) => join(IMAGES, folder, `${name}-${shape.width}.${format}`));

it("has no picture file that is missing from the manifest", () => {
  const known = new Set(
    pictures.flatMap(({ folder, name, shape }) => filesOf(shape).map((end) => join(folder, name + end))),
  );
  const files = readdirSync(IMAGES, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(avif|webp|png|jpe?g)$/.test(file),
  );
  expect(files.filter((file) => !known.has(file))).toEqual([]);
});

it.each(FORMATS)("all pictures together at their widest, as %s, weigh less than 3 MB", (format) => {
  const total = widest(format).reduce((sum, path) => sum + weight(path), 0);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThan(3000 * KB);
});

it("each film weighs less than 2.5 MB", () => {
  const films = readdirSync(join(IMAGES, "videos")).filter((file) => /\.(webm|mp4)$/.test(file));
  expect(films).not.toEqual([]);
  for (const film of films) {
    expect(weight(join(IMAGES, "videos", film)), film).toBeLessThan(2500 * KB);
  }
});
