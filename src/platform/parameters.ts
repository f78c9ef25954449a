import { parse } from 'fast-querystring';
import type { FastifyInstance } from 'fastify';

/** The largest form of ours has 300. */
const maxParameters = 1000;

/** Decoding 8,000 of them would keep all requests waiting (security C223). */
export class TooManyParameters extends Error {
  readonly statusCode = 413;
}

/** Of an address or a form, without decoding any. */
export function hasTooManyParameters(text: string): boolean {
  return text.split('&', maxParameters + 1).length > maxParameters;
}

/** Nothing of one with too many, which a hook refuses. */
export function parseQuery(text: string): Record<string, unknown> {
  return hasTooManyParameters(text) ? {} : parse(text);
}

export function acceptForms(app: FastifyInstance, read: (text: string) => object = parse): void {
  const type = 'application/x-www-form-urlencoded';
  app.addContentTypeParser<string>(type, { parseAs: 'string' }, (_request, text, done) => {
    if (hasTooManyParameters(text)) done(new TooManyParameters());
    else done(null, read(text));
  });
}
