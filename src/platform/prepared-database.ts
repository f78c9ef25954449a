import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The build makes it, beside the program. */
export const preparedName = 'database.zst';

/** Three databases of a new cluster are almost the same, so matches are looked for across all. */
const params = {
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  [constants.ZSTD_c_windowLog]: 26,
  [constants.ZSTD_c_compressionLevel]: 12,
};

type Entry = readonly [path: string, content: Uint8Array | undefined];

/** Writes all files and folders of a closed database into one file. */
export async function packDatabase(folder: string, path: string): Promise<void> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const entries = found.map(async (entry): Promise<Entry> => {
    const full = join(entry.parentPath, entry.name);
    return [relative(folder, full), entry.isFile() ? await readFile(full) : undefined];
  });
  await writeFile(path, zstdCompressSync(serialize(await Promise.all(entries)), { params }));
}

/** Makes the folder as it was packed. Does nothing where the program ships no file. */
export async function unpackDatabase(path: string, folder: string): Promise<void> {
  const packed = await readFile(path).catch(() => undefined);
  if (packed === undefined) return;
  const entries: readonly Entry[] = deserialize(
    zstdDecompressSync(packed, { params: { [constants.ZSTD_d_windowLogMax]: 26 } }),
  );
  for (const [name, content] of entries) {
    const full = join(folder, name);
    mkdirSync(content === undefined ? full : dirname(full), { recursive: true, mode: 0o700 });
    if (content !== undefined) writeFileSync(full, content, { mode: 0o600 });
  }
}
