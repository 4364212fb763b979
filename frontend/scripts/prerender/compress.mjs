/** Compressed copies beside the built files: the server sends them to clients that accept them. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEXT = /\.(js|css|svg|webmanifest|xml|txt)$/;

/** How brotli writes distances: which way suits a file best only a try can tell. It is 0.2 % of the app. */
const DISTANCES = [
  [0, 0],
  [0, 8],
  [1, 0],
  [2, 32],
];

function smallest(plain) {
  const tried = DISTANCES.map(([postfix, direct]) =>
    brotliCompressSync(plain, {
      params: { [constants.BROTLI_PARAM_NPOSTFIX]: postfix, [constants.BROTLI_PARAM_NDIRECT]: direct },
    }),
  );
  return tried.reduce((best, next) => (next.length < best.length ? next : best));
}

/** Writes FILE.br and FILE.gz beside every text file under `folder` that becomes smaller. */
export async function compressFiles(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name));
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    const plain = await readFile(file);
    const compressed = smallest(plain);
    if (compressed.length < plain.length) {
      await writeFile(`${file}.br`, compressed);
      await writeFile(`${file}.gz`, gzipSync(plain, { level: 9 }));
    }
  }
}
