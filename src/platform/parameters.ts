import { parse } from 'fast-querystring';
import type { FastifyInstance } from 'fastify';

/** The largest form has 300. */
const maxParameters = 1000;

/** Decoding 8,000 parameters would keep all requests waiting (security C223). */
export class TooManyParameters extends Error {
  readonly statusCode = 413;
}

export function hasTooManyParameters(text: string): boolean {
  return text.split('&', maxParameters + 1).length > maxParameters; // protects: C223
}

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
