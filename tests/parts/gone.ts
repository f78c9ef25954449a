import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Folders of src that docs/architecture.md lists, and that this tree lacks: parts that were left out, with their tests. */
export const goneParts: readonly string[] = [
  ...readFileSync(join(root, 'docs/architecture.md'), 'utf8').matchAll(/^ {2}([a-z0-9-]+)\/ /gm),
]
  .map(([, name = '']) => name)
  .filter((name) => !existsSync(join(root, 'src', name)));

/** Whether a path has gone with its part: `openid/prompt`, `src/openid/logout.ts`. */
export const isGone = (path: string): boolean =>
  goneParts.includes(path.replace(/^(?:src|tests)\//, '').split('/')[0] ?? '');
