import type { FastifyInstance } from 'fastify';
import { auditContextOf, sessionOf } from '../../../accounts/sessions/session.ts';
import { type FormFaults, readForm } from '../../../web/forms.ts';
import { type Page, sendNotFoundPage, sendPage } from '../../../web/pages.ts';
import { chosenScopesIn, describeFields, editForm, withdrawalForm } from '../form.ts';
import {
  type ClientRoute,
  clientPage,
  developerHome,
  ownClientOf,
  type ShownClient,
  withOwnClient,
} from '../own-client.ts';
import { statusOf, submitChange, tooManyWords, withdrawEdit } from '../submission.ts';
import { type ClientValues, valuesToEdit, versionOf } from './change.ts';

declare module '../../../web/pages.ts' {
  interface Views {
    'oauth/client-edit': Page & ReturnType<typeof describeEdit>;
  }
}

const path = `${developerHome}/:clientId/edit`;

const problems = {
  faults: 'Fix the highlighted fields to continue.',
  outdated:
    'The app has changed since you opened this form, so nothing was saved. What you entered is still here: submit it again if you still want it.',
  ...tooManyWords,
} as const;

/** Edits, and their withdrawal (contract §2). */
export function addEdits(app: FastifyInstance): void {
  const { db } = app;

  app.get<ClientRoute>(path, async (request, reply) =>
    withOwnClient(db, request, reply, async (client) => {
      const values = valuesToEdit(client);
      const form = { typed: toTyped(values), faults: {} };
      return sendPage(reply, 'oauth/client-edit', describeEdit(client, form, values.scopes ?? []));
    }),
  );

  app.post<ClientRoute>(path, async (request, reply) =>
    withOwnClient(db, request, reply, async (client) => {
      const chosen = chosenScopesIn(request.body);
      const form = readForm(editForm(client.type), request.body);
      if (!form.ok)
        return sendPage(reply.code(400), 'oauth/client-edit', describeEdit(client, form, chosen, 'faults'));
      const { values, version } = form.value;
      const edited = { id: client.id, ownerId: sessionOf(request).person.id, version };
      const outcome = await submitChange(app, edited, values, auditContextOf(request));
      if (outcome === 'gone') return sendNotFoundPage(reply);
      if (!isProblem(outcome)) return reply.redirect(clientPage(client.id, outcome), 303);
      const current = (await ownClientOf(db, request)) ?? client;
      const again = { typed: toTyped(values), faults: {} };
      const shown = describeEdit(current, again, chosen, outcome);
      return sendPage(reply.code(statusOf(outcome)), 'oauth/client-edit', shown);
    }),
  );

  app.post<ClientRoute>(`${path}/withdraw`, async (request, reply) => {
    const { version } = withdrawalForm.parse(request.body);
    const client = { id: request.params.clientId, ownerId: sessionOf(request).person.id, version };
    const outcome = await withdrawEdit(app, client, auditContextOf(request));
    if (outcome === 'gone') return sendNotFoundPage(reply);
    return reply.redirect(clientPage(client.id, outcome), 303);
  });
}

const isProblem = (outcome: string): outcome is keyof typeof problems => outcome in problems;

function toTyped({
  name,
  purpose,
  redirectUris,
  websiteUrl,
  requiresPkce,
}: Omit<ClientValues, 'logoId'>): Record<string, string> {
  const ticked = requiresPkce ? { requires_pkce: 'yes' } : {};
  return { name, purpose, redirect_uris: redirectUris.join('\n'), website_url: websiteUrl ?? '', ...ticked };
}

function describeEdit(
  client: ShownClient,
  form: FormFaults,
  chosenScopes: readonly unknown[],
  problem?: keyof typeof problems,
) {
  return {
    title: `Edit ${client.name}`,
    client,
    ...introduce(client),
    fields: describeFields(form, chosenScopes, client.type),
    faults: form.faults,
    version: versionOf(client),
    problem: problem && problems[problem],
  };
}

/** What the form is about, and its button. */
const introductions = {
  pending: ['Your app is in review. Reviewers see the values that you save here.', 'Save changes'],
  rejected: ['Fix what the reviewer names and resubmit the app.', 'Resubmit app'],
  live: ['Changes are reviewed first. Until then, the app stays as it is for its users.', 'Submit changes'],
  edit_pending: ['These are your changes in review. Submitting the form replaces them.', 'Submit changes'],
  edit_rejected: [
    'These are your rejected changes. Fix them and resubmit; the app stays as it is meanwhile.',
    'Resubmit changes',
  ],
} as const;

function introduce({ status, edit, rejectionReason }: ShownClient) {
  const liveState = edit === undefined ? 'live' : (`edit_${edit.status}` as const);
  const [introduction, submitWords] = introductions[status === 'accepted' ? liveState : status];
  const reason = status === 'accepted' ? edit?.rejectionReason : rejectionReason;
  return { introduction, submitWords, rejectionReason: reason ?? undefined };
}
