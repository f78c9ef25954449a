import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sessionOf } from '../../../accounts/session.ts';
import { type FormFaults, readForm } from '../../../forms.ts';
import { sendNotFoundPage, sendPage } from '../../../pages.ts';
import { scopes } from '../../core/scope.ts';
import { type ClientRoute, clientPage, developerHome } from '../address.ts';
import { ownClientOf, type ShownClient, withOwnClient } from '../own.ts';
import { editForm, readTicked, withdrawalForm } from '../request.ts';
import { type SubmissionDeps, tooManyWords } from '../submission.ts';
import { type ClientValues, valuesToEdit, versionOf } from './change.ts';
import { submitChange, withdrawEdit } from './submission.ts';

const path = `${developerHome}/:clientId/edit`;

/** Above the form, when it could not be taken as it was sent. */
const problems = {
  faults: 'Nothing was saved yet. Look at what is marked below.',
  outdated:
    'The app has changed since this form was opened, in another tab or by a review. Nothing was saved. What you typed is still here: compare it with the app as it is now, and send it again if it is still what you want.',
  ...tooManyWords('Nothing was saved'),
} as const;

/** Where an owner changes a client, and withdraws changes that wait (contract §2). Register in the scope of the developer pages. */
export function registerEditRoutes(app: FastifyInstance, deps: SubmissionDeps): void {
  app.get<ClientRoute>(path, async (request, reply) =>
    withOwnClient(deps.db, request, reply, async (client) => {
      const values = valuesToEdit(client);
      return sendEditForm(
        request,
        reply,
        client,
        { typed: toTyped(values), faults: {} },
        values.scopes ?? [],
      );
    }),
  );

  app.post<ClientRoute>(path, async (request, reply) =>
    withOwnClient(deps.db, request, reply, async (client) => {
      const form = readForm(editForm(client.type), request.body);
      if (!form.ok) return sendAgain(request, reply.code(400), client, form, 'faults');
      const { values, version } = form.value;
      const outcome = await submitChange(deps, { id: client.id, ownerId: client.ownerId, version }, values);
      if (outcome === 'gone') return sendNotFoundPage(request, reply);
      if (!isProblem(outcome)) {
        request.log.info({ clientId: client.id, outcome }, 'an owner submitted values of a client');
        return reply.redirect(clientPage(client.id, outcome), 303);
      }
      const now = (await ownClientOf(deps.db, request)) ?? client;
      const typed = { ...toTyped({ ...values, logoId: null }) };
      const status = outcome === 'too_many_submissions' ? 429 : 409;
      return sendAgain(request, reply.code(status), now, { typed, faults: {} }, outcome);
    }),
  );

  app.post<ClientRoute>(`${path}/withdraw`, async (request, reply) => {
    const { version } = withdrawalForm.parse(request.body);
    const client = { id: request.params.clientId, ownerId: sessionOf(request).person.id, version };
    const outcome = await withdrawEdit(deps, client);
    if (outcome === 'gone') return sendNotFoundPage(request, reply);
    request.log.info({ clientId: client.id, outcome }, 'an owner withdrew changes of a client');
    return reply.redirect(clientPage(client.id, outcome), 303);
  });
}

const isProblem = (outcome: string): outcome is keyof typeof problems => outcome in problems;

/** A client's values as the form's fields have them. */
function toTyped({ name, purpose, redirectUris, websiteUrl }: ClientValues): Record<string, string> {
  return { name, purpose, redirect_uris: redirectUris.join('\n'), website_url: websiteUrl ?? '' };
}

async function sendAgain(
  request: FastifyRequest,
  reply: FastifyReply,
  client: ShownClient,
  form: FormFaults,
  problem: keyof typeof problems,
): Promise<FastifyReply> {
  return sendEditForm(request, reply, client, form, readTicked(request.body), problems[problem]);
}

async function sendEditForm(
  request: FastifyRequest,
  reply: FastifyReply,
  client: ShownClient,
  { typed, faults }: FormFaults,
  tickedScopes: readonly unknown[],
  problem?: string,
): Promise<FastifyReply> {
  return sendPage(request, reply, 'oauth/client-edit', {
    title: `Edit ${client.name}`,
    client,
    scopes,
    typed,
    faults,
    tickedScopes,
    version: versionOf(client),
    problem,
  });
}
