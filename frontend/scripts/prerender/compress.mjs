/** Compressed copies beside the built files: the server sends them to clients that accept them. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const TEXT = /\.(js|css|svg|webmanifest|xml|txt)$/;

/** Writes FILE.br and FILE.gz beside every text file under `folder` that becomes smaller. */
export async function compressFiles(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name));
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    const plain = await readFile(file);
    const compressed = brotliCompressSync(plain);
    if (compressed.length < plain.length) {
      await writeFile(`${file}.br`, compressed);
      await writeFile(`${file}.gz`, gzipSync(plain, { level: 9 }));
    }
  }
}
