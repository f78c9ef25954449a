import type { FastifyInstance, FastifyReply } from 'fastify';
import { auditContextOf, requireVerifiedEmail, sessionOf } from '../../accounts/sessions/session.ts';
import { randomHex } from '../../platform/runtime.ts';
import { readForm, typedFields, untouched } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { isSame } from './edits/change.ts';
import { submissionEmail } from './emails.ts';
import { chosenScopesIn, describeFields, registrationForm, type ShownFields } from './form.ts';
import { generateSecret, newRegistrationKey, sendShownSecret } from './new-secret.ts';
import { clientPage, developerHome } from './own-client.ts';
import { findOwnClient, findRegisteredId, type NewClient, registerClient } from './store.ts';
import { emailAdmins, limitsOf, statusOf, tooManyWords } from './submission.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/client-form': Page & {
      readonly fields: ShownFields;
      readonly registrationKey: string | undefined;
      readonly problem: string | undefined;
    };
  }
}

const path = `${developerHome}/new`;
const clientIdBytes = 16;

const problems = {
  faults: 'Fix the highlighted fields to continue.',
  incomplete: 'Part of this form was missing. Please submit it again.',
  registered_before:
    'This form has already registered an app, with other values. To register another app with the values below, submit the form again.',
  ...tooManyWords,
} as const;

/** Contract §2. */
export function addRegistration(app: FastifyInstance): void {
  const { db, runtime, config } = app;

  const verified = { preHandler: requireVerifiedEmail };

  app.get(path, verified, async (_request, reply) => sendForm(reply, newRegistrationKey(runtime)));

  app.post(path, verified, async (request, reply) => {
    const form = readForm(registrationForm, request.body);
    if (!form.ok) {
      const { registration_key: _key, ...faults } = form.faults;
      const isKeyUsable = !('registration_key' in form.faults);
      const key = isKeyUsable ? form.typed['registration_key'] : newRegistrationKey(runtime);
      const problem = Object.keys(faults).length === 0 ? 'incomplete' : 'faults';
      return sendForm(reply.code(400), key, form, problem);
    }
    const { person: owner } = sessionOf(request);
    const ownerId = owner.id;
    const client = { ...form.value, id: randomHex(runtime, clientIdBytes), ownerId };
    const generated = client.type === 'confidential' ? await generateSecret(runtime) : undefined;
    const notices = await emailAdmins(db, submissionEmail({ ...client, owner }, config.appUrl), app);
    const limits = limitsOf(ownerId, app);
    const outcome = await registerClient(
      db,
      client,
      generated?.stored,
      notices,
      limits,
      auditContextOf(request),
    );
    if (outcome === 'registered_before') return sendRepetition(reply, client);
    if (outcome !== 'registered') return sendAgain(reply, outcome);
    const address = clientPage(client.id);
    if (generated !== undefined) sendShownSecret(reply, app, address, client.id, generated.secret);
    return reply.redirect(address, 303);
  });

  /** Only the first answer could show the secret. */
  async function sendRepetition(
    reply: FastifyReply,
    client: NewClient & { readonly ownerId: number; readonly registrationKey: string },
  ): Promise<FastifyReply> {
    const { ownerId, registrationKey, type } = client;
    const id = await findRegisteredId(db, ownerId, registrationKey);
    const registered = id === undefined ? undefined : await findOwnClient(db, id, ownerId);
    if (registered === undefined) return sendAgain(reply, 'incomplete');
    const wanted = { ...client, logoId: registered.logoId };
    if (registered.type !== type || !isSame(registered, wanted)) return sendAgain(reply, 'registered_before');
    return reply.redirect(clientPage(registered.id, 'registered_before'), 303);
  }

  async function sendAgain(reply: FastifyReply, problem: keyof typeof problems): Promise<FastifyReply> {
    const fields = typeof reply.request.body === 'object' ? { ...reply.request.body } : {};
    const form = { typed: typedFields(fields, []), faults: {} };
    return sendForm(reply.code(statusOf(problem)), newRegistrationKey(runtime), form, problem);
  }
}

async function sendForm(
  reply: FastifyReply,
  registrationKey: string | undefined,
  form = untouched,
  problem?: keyof typeof problems,
): Promise<FastifyReply> {
  return sendPage(reply, 'oauth/client-form', {
    title: 'Register an app',
    faults: form.faults,
    fields: describeFields(form, chosenScopesIn(reply.request.body)),
    registrationKey,
    problem: problem && problems[problem],
  });
}
