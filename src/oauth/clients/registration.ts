import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sessionOf } from '../../accounts/session.ts';
import { type FormFaults, readForm, typedFields } from '../../forms.ts';
import { sendPage } from '../../pages.ts';
import type { Hash } from '../core/crypto.ts';
import { scopes } from '../core/scope.ts';
import { clientPage, developerHome } from './address.ts';
import { type DerivedSecret, deriveSecret } from './derived-secret.ts';
import { isSame } from './edits/change.ts';
import { isFresh, isRepeatedSoon, newDatedFormId } from './form-id.ts';
import { deriveClientId } from './identity.ts';
import { submissionLetter } from './letters.ts';
import { readTicked, registrationForm } from './request.ts';
import { sendShownSecret } from './shown-secret.ts';
import { findOwnClient, isLivingSecret, type NewClient, registerClient } from './store.ts';
import { limitsOf, type SubmissionDeps, tooManyWords, writeToAdmins } from './submission.ts';

export interface RegistrationDeps extends SubmissionDeps {
  readonly hash: Hash;
}

const path = `${developerHome}/new`;

/** Above the form, when it could not be taken as it was sent. */
const problems = {
  faults: 'Nothing was registered yet. Look at what is marked below.',
  registered_before:
    'This form has registered an app before, with other values; you find it in the list of your apps. To register one more app with the values below, send the form again.',
  outdated:
    'This form was opened more than a day ago, so nothing was registered yet. What you typed is still here: to register the app, send the form again.',
  deleted_since:
    'The app that this form has registered was deleted since. To register a new one with the values below, send the form again.',
  ...tooManyWords('Nothing was registered'),
} as const;

/** Where developers register their clients (contract §2). Register in the scope of the developer pages. */
export function registerRegistrationRoutes(app: FastifyInstance, deps: RegistrationDeps): void {
  app.get(path, async (request, reply) => sendClientForm(request, reply, newDatedFormId(deps)));

  app.post(path, async (request, reply) => {
    const form = readForm(registrationForm, request.body);
    if (!form.ok) {
      const { form_id: incomplete, ...faults } = form.faults;
      const formId = 'form_id' in form.faults ? newDatedFormId(deps) : form.typed['form_id'];
      const problem = Object.keys(faults).length === 0 ? incomplete : problems.faults;
      return sendClientForm(request, reply.code(400), formId, { ...form, problem });
    }
    const { formId, ...values } = form.value;
    const ownerId = sessionOf(request).person.id;
    const client = { ...values, id: deriveClientId(deps.rootSecret, ownerId, formId), ownerId };
    // What an old form has registered is still found; but it registers nothing any more, lest it bring a client_id back that was deleted.
    if (!isFresh(formId, deps) && (await findOwnClient(deps.db, client.id, ownerId)) === undefined)
      return sendAgain(request, reply, 'outdated');
    const derived = client.type === 'confidential' ? await deriveSecret(deps, client.id, formId) : undefined;
    const notices = await writeToAdmins(deps.db, submissionLetter(client, deps.appUrl), deps);
    const [limits, now] = [limitsOf(ownerId, deps), deps.system.now()];
    const outcome = await registerClient(deps.db, client, derived?.stored, notices, limits, now);
    switch (outcome) {
      case 'registered':
        request.log.info({ clientId: client.id, ownerId }, 'a client was registered');
        deps.nudgeOutbox();
        if (derived !== undefined) showSecret(reply, deps, client.id, derived.secret);
        return reply.redirect(clientPage(client.id), 303);
      case 'registered_before':
        return sendRepetition(request, reply, client, derived);
      case 'deleted_since':
      case 'too_many_waiting':
      case 'too_many_submissions':
        return sendAgain(request, reply, outcome);
    }
  });

  /** The same form once more leads where the first one did; with other values it is a form that was sent before, and is given a new id. */
  async function sendRepetition(
    request: FastifyRequest,
    reply: FastifyReply,
    client: NewClient,
    derived: DerivedSecret | undefined,
  ): Promise<FastifyReply> {
    const registered = await findOwnClient(deps.db, client.id, client.ownerId);
    if (registered === undefined) return sendAgain(request, reply, 'deleted_since');
    const { type, logoId, createdAt } = registered;
    if (type !== client.type || !isSame(registered, { ...client, logoId }))
      return sendAgain(request, reply, 'registered_before');
    const isSoon = isRepeatedSoon(createdAt, deps.system.now());
    if (
      isSoon &&
      derived !== undefined &&
      (await isLivingSecret(deps.db, client.id, derived.stored.secretHash))
    )
      showSecret(reply, deps, client.id, derived.secret);
    return reply.redirect(clientPage(client.id), 303);
  }

  async function sendAgain(
    request: FastifyRequest,
    reply: FastifyReply,
    problem: Exclude<keyof typeof problems, 'faults'>,
  ): Promise<FastifyReply> {
    const fields = typeof request.body === 'object' ? { ...request.body } : {};
    const again = { typed: typedFields(fields, []), faults: {}, problem: problems[problem] };
    const status = problem === 'too_many_submissions' ? 429 : 409;
    return sendClientForm(request, reply.code(status), newDatedFormId(deps), again);
  }
}

function showSecret(reply: FastifyReply, deps: RegistrationDeps, clientId: string, secret: string): void {
  sendShownSecret(reply, deps, clientPage(clientId), clientId, secret);
}

async function sendClientForm(
  request: FastifyRequest,
  reply: FastifyReply,
  formId: string | undefined,
  form: FormFaults & { readonly problem?: string | undefined } = { typed: {}, faults: {} },
): Promise<FastifyReply> {
  const tickedScopes = readTicked(request.body);
  return sendPage(request, reply, 'oauth/client-form', {
    title: 'Register an app',
    scopes,
    ...form,
    formId,
    tickedScopes,
  });
}
