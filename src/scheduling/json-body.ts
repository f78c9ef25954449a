import type { FastifyInstance } from 'fastify';

/**
 * Reads JSON as Fastify does, prototypes guarded, but takes an empty body for none: there are clients that name its type with every call, those
 * that send none too.
 */
export function registerJsonBody(app: FastifyInstance): void {
  const readJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) =>
    text === '' ? done(null) : readJson(request, text, done),
  );
}
