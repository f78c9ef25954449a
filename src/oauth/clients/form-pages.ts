import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { auditContextOf, requireVerifiedEmail, sessionOf } from '../../accounts/sessions/session.ts';
import type { Platform } from '../../platform/platform.ts';
import { randomHex } from '../../platform/runtime.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import { orNotFound, sendNotFoundPage } from '../../web/error-pages.ts';
import { type FormFaults, untouched } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { ofClient, clientParams as params } from '../client-id.ts';
import { type ClientValues, isSame, valuesToEdit, versionOf } from './edits/change.ts';
import { reviewRequestEmail } from './emails.ts';
import {
  clientBody,
  clientFormsOf,
  type Draft,
  describeFields,
  type describeUris,
  type scopeTableOf,
} from './form.ts';
import { generateSecret, newRegistrationKey, registrationKey, sendShownSecret } from './new-secret.ts';
import { clientPage, developerHome, ownClientOf, type ShownClient } from './own-client.ts';
import { previewConsent } from './preview.ts';
import { registerClient } from './store.ts';
import { emailAdmins, submitChange, tooManyWords, withdrawEdit } from './submission.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/client-form': Page & ReturnType<typeof describeForm>;
    'oauth/consent-preview': { readonly card: ReturnType<typeof previewConsent> };
    'oauth/uri-rows': ReturnType<typeof describeUris> & { readonly focus: string | undefined };
    'oauth/scope-table': ReturnType<typeof scopeTableOf>;
  }
}

const newPath = `${developerHome}/new`;
const editPath = `${developerHome}/:clientId/edit`;
const clientIdBytes = 16;

const problems = {
  faults: 'Fix the highlighted fields to continue.',
  incomplete: 'Part of this form was missing. Please submit it again.',
  registered_before:
    'This form has already registered an app, with other values. To register another app with the values below, submit the form again.',
  outdated:
    'The app has changed since you opened this form, so nothing was saved. What you entered is still here: submit it again if you still want it.',
  ...tooManyWords,
} as const;

export function addRegistration(app: ScopedApp): void {
  const { db, runtime, permissions } = app;
  const readClient = clientFormsOf(permissions.known);
  const verified = { preValidation: requireVerifiedEmail };

  app.get(newPath, verified, async (_request, reply) => {
    const typed = { client_type: 'confidential', requires_pkce: 'yes', access: 'chosen' };
    return sendForm(reply, undefined, { form: { typed, faults: {} } });
  });

  app.post(newPath, { ...verified, schema: { body: clientBody } }, async (request, reply) => {
    const { sent, chosen, draft } = request.body;
    const form = readClient(sent);
    const { typed } = form;
    const again = { typed, faults: {} };
    const { data: key } = registrationKey.safeParse(typed['registration_key']);
    // protects: C373
    if (draft !== undefined) return sendForm(reply, key, { form: again, chosen, draft });
    if (!form.ok) return sendForm(reply.code(400), key, { form, chosen, problem: 'faults' });
    if (key === undefined)
      return sendForm(reply.code(400), key, { form: again, chosen, problem: 'incomplete' });
    const { person: owner } = sessionOf(request);
    const { values, type } = form.value;
    const client = { ...values, type, id: randomHex(runtime, clientIdBytes), ownerId: owner.id };
    const generated = type === 'confidential' ? await generateSecret(runtime) : undefined;
    const email = reviewRequestEmail('submitted', { ...client, owner }, app);
    const notices = await emailAdmins(db, email, app);
    const registration = { ...client, registrationKey: key };
    const by = auditContextOf(request);
    const outcome = await registerClient(db, registration, generated?.stored, notices, by);
    const sendAgain = (problem: keyof typeof problems): Promise<FastifyReply> =>
      sendForm(reply.code(409), undefined, { form: again, chosen, problem });
    if (typeof outcome === 'object') {
      const isSameForm = outcome.type === type && isSame(outcome, { ...values, logoId: outcome.logoId });
      if (!isSameForm) return sendAgain('registered_before');
      // Only the first answer could show the secret.
      return reply.redirect(clientPage(outcome.id, 'registered_before'), 303);
    }
    if (outcome !== 'registered') return sendAgain(outcome);
    const address = clientPage(client.id);
    if (generated !== undefined) sendShownSecret(reply, app, address, client.id, generated.secret);
    return reply.redirect(address, 303);
  });
}

/** Without a key of its own, the form gets a new one (contract §2). */
async function sendForm(reply: FastifyReply, key: string | undefined, shown: Shown): Promise<FastifyReply> {
  const app = reply.server;
  const hidden = { name: 'registration_key', value: key ?? newRegistrationKey(app.runtime) };
  return sendPage(reply, 'oauth/client-form', describeForm(app, undefined, hidden, shown));
}

export function addEdits(app: ScopedApp): void {
  const { db, permissions } = app;
  const readClient = clientFormsOf(permissions.known);

  app.get(editPath, ofClient, async (request, reply) => {
    const client = orNotFound(await ownClientOf(db, request));
    const values = valuesToEdit(client);
    const form = { typed: toTyped(values), faults: {} };
    return sendEdit(reply, client, { form, chosen: values.scopes ?? [] });
  });

  app.post(editPath, { schema: { params, body: clientBody } }, async (request, reply) => {
    const client = orNotFound(await ownClientOf(db, request));
    const { sent, chosen, draft } = request.body;
    const form = readClient({ ...sent, client_type: client.type }, valuesToEdit(client));
    const again = { typed: form.typed, faults: {} };
    // protects: C373
    if (draft !== undefined) return sendEdit(reply, client, { form: again, chosen, draft });
    if (!form.ok) return sendEdit(reply.code(400), client, { form, chosen, problem: 'faults' });
    const { values, version } = form.value;
    const edited = { id: client.id, ownerId: sessionOf(request).person.id, version };
    const outcome = await submitChange(app, edited, values, auditContextOf(request));
    if (outcome === 'gone') return sendNotFoundPage(reply);
    if (!isProblem(outcome)) return reply.redirect(clientPage(client.id, outcome), 303);
    const current = (await ownClientOf(db, request)) ?? client;
    return sendEdit(reply.code(409), current, { form: again, chosen, problem: outcome });
  });

  app.get(`${editPath}/withdraw`, { schema: { params } }, async (request, reply) => {
    const client = orNotFound(await ownClientOf(db, request));
    const { status } = orNotFound(client.edit);
    const [verb, words] =
      status === 'rejected' ? ['Discard', 'rejected'] : ['Withdraw', 'that are in review'];
    return sendPage(reply, 'deletion', {
      title: `${verb} your changes?`,
      text: `The changes ${words} are deleted, and your app stays as it is. You can’t undo this.`,
      button: `${verb} changes`,
      back: { address: clientPage(client.id), words: client.name },
      hidden: { version: versionOf(client) },
    });
  });

  const withdrawing = { schema: { params, body: z.object({ version: z.string().catch('') }) } };
  app.post(`${editPath}/withdraw`, withdrawing, async (request, reply) => {
    const { version } = request.body;
    const client = { id: request.params.clientId, ownerId: sessionOf(request).person.id, version };
    const outcome = await withdrawEdit(app, client, auditContextOf(request));
    if (outcome === 'gone') return sendNotFoundPage(reply);
    return reply.redirect(clientPage(client.id, outcome), 303);
  });
}

const isProblem = (outcome: string): outcome is keyof typeof problems => outcome in problems;

function toTyped(values: ClientValues): Record<string, string> {
  const { name, purpose, redirectUris, postLogoutRedirectUris, websiteUrl, scopes, requiresPkce } = values;
  const ticked = requiresPkce ? { requires_pkce: 'yes' } : {};
  const access = scopes === null ? 'full' : 'chosen';
  const uris = {
    redirect_uris: redirectUris.join('\n'),
    post_logout_redirect_uris: postLogoutRedirectUris.join('\n'),
  };
  return { name, purpose, ...uris, website_url: websiteUrl ?? '', access, ...ticked };
}

interface Shown {
  readonly form?: FormFaults;
  readonly chosen?: readonly unknown[];
  readonly problem?: keyof typeof problems | undefined;
  readonly draft?: Draft;
}

async function sendEdit(reply: FastifyReply, client: ShownClient, shown: Shown): Promise<FastifyReply> {
  const version = { name: 'version', value: versionOf(client) };
  return sendPage(reply, 'oauth/client-form', describeForm(reply.server, client, version, shown));
}

function describeForm(
  { permissions }: Pick<Platform, 'permissions'>,
  client: ShownClient | undefined,
  hidden: { readonly name: string; readonly value: string },
  { form = untouched, chosen = [], problem, draft }: Shown,
) {
  const page = client === undefined ? developerHome : clientPage(client.id);
  return {
    title: client === undefined ? 'Register an app' : `Edit ${client.name}`,
    client,
    ...introduce(client),
    ...describeFields(
      form,
      chosen,
      permissions,
      client && { type: client.type, stored: valuesToEdit(client).scopes },
    ),
    action: client === undefined ? newPath : `${page}/edit`,
    cancel: page,
    hidden,
    connects: true as const,
    focus: draft?.focus,
    isChanged: problem !== undefined || draft !== undefined,
    card: previewConsent(form.typed, chosen, permissions, {
      id: client?.id ?? '',
      logoId: client?.logoId ?? null,
      type: client?.type ?? (form.typed['client_type'] === 'public' ? 'public' : 'confidential'),
    }),
    problem: problem && problems[problem],
  };
}

const introductions = {
  new: ['We review every app before users can connect it.', 'Register app'],
  pending: ['Your app is in review. Reviewers see the values that you save here.', 'Save changes'],
  rejected: ['Fix what the reviewer names and resubmit the app.', 'Resubmit app'],
  live: ['Changes are reviewed first. Until then, the app stays as it is for its users.', 'Submit changes'],
  edit_pending: ['These are your changes in review. Submitting the form replaces them.', 'Submit changes'],
  edit_rejected: [
    'These are your rejected changes. Fix them and resubmit; the app stays as it is meanwhile.',
    'Resubmit changes',
  ],
} as const;

function introduce(client: ShownClient | undefined) {
  const { status, edit, rejectionReason } = client ?? { status: 'new' as const };
  const liveState = edit === undefined ? 'live' : (`edit_${edit.status}` as const);
  const [introduction, submitWords] = introductions[status === 'accepted' ? liveState : status];
  return { introduction, submitWords, rejectionReason: edit?.rejectionReason ?? rejectionReason };
}
