import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requireFormToken } from '../../accounts/form-token.ts';
import { requireSignIn, type SessionDeps } from '../../accounts/session.ts';
import { readForm } from '../../forms.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { type ClientRoute, developerHome as home } from '../clients/address.ts';
import { ownClientOf } from '../clients/own.ts';
import type { FailureRecorder } from './recorder.ts';
import { describeFailure } from './shown-failure.ts';
import { keptDays, listFailures } from './store.ts';

export interface FailurePageDeps extends SessionDeps {
  readonly failures: FailureRecorder;
}

/** A request ID as the X-Request-Id header has it; empty means all. */
const search = z.object({
  request_id: z
    .string({ error: 'Name one request ID.' })
    .trim()
    .regex(/^[0-9a-f]{0,40}$/, {
      error: 'This is no request ID: the answer’s X-Request-Id header has it, of letters a to f and digits.',
    })
    .optional(),
});

/** Where the owner of a client reads why its token requests failed. Register in a scope of its own. */
export async function registerFailureRoutes(app: FastifyInstance, deps: FailurePageDeps): Promise<void> {
  app.addHook('preHandler', requireSignIn(home));
  app.addHook('preHandler', requireFormToken(deps));

  app.get<ClientRoute>(`${home}/:clientId/failures`, async (request, reply) => {
    const client = await ownClientOf(deps.db, request);
    if (client === undefined) return sendNotFoundPage(request, reply);
    const page = { title: `Failed requests of ${client.name}`, client, keptDays, scripts: ['copy.js'] };
    const form = readForm(search, request.query);
    if (!form.ok) {
      return sendPage(request, reply.code(400), 'oauth/client-failures', { ...page, ...form, failures: [] });
    }
    // What failed a moment ago is what one looks for.
    await deps.failures.flush();
    const requestId = form.value.request_id || undefined;
    const rows = await listFailures(deps.db, client.id, requestId, deps.system.now());
    const failures = rows.flatMap((row) => describeFailure(row) ?? []);
    const typed = { request_id: requestId ?? '' };
    return sendPage(request, reply, 'oauth/client-failures', { ...page, failures, typed, faults: {} });
  });
}
