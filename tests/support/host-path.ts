import { delimiter, sep } from 'node:path';

/** A shell has this PATH, without what npm puts in front for its own scripts. */
export const hostPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.split(sep).includes('node_modules'))
  .join(delimiter);
