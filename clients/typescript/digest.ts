import { createHash } from 'node:crypto';
import type { ApiDocument } from '../../src/api/openapi/document.ts';

/** The types name the document that they are of, so that a test needs no generator to tell. */
export function digestOf({ paths, components: { schemas } }: ApiDocument): string {
  return createHash('sha256').update(JSON.stringify({ paths, schemas })).digest('hex');
}
