import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { noticesTo, wordsFor } from '../accounts/emails.ts';
import {
  auditContextOf,
  requireRecentSignIn,
  requireVerifiedEmail,
  sessionOf,
  settingsPlugin,
} from '../accounts/sessions/session.ts';
import { readRows, scopeChoiceOf, scopeTableOf, sentScopes } from '../oauth/clients/form.ts';
import {
  newRegistrationKey,
  registrationKey,
  sendShownSecret,
  takeShownSecret,
} from '../oauth/clients/new-secret.ts';
import { givesFullAccess, type KnownScopes } from '../oauth/core/scope.ts';
import { rulesOf } from '../oauth/own-scopes.ts';
import { describePermissions, type Permissions } from '../oauth/permissions.ts';
import type { Email } from '../platform/mail/email.ts';
import { newUuid } from '../platform/runtime.ts';
import type { Words } from '../platform/words.ts';
import { orNotFound } from '../web/error-pages.ts';
import { type FormFaults, lineOf, readForm, untouched } from '../web/forms.ts';
import { tellOutcomes } from '../web/outcomes.ts';
import { type Page, sendPage } from '../web/pages.ts';
import { keepEnglish } from '../web/translated.ts';
import {
  addPersonalToken,
  deletePersonalToken,
  listPersonalTokens,
  maxPersonalTokens,
  type ShownToken,
} from './store.ts';
import { hashToken, hintOf, makeToken } from './token.ts';

declare module '../web/pages.ts' {
  interface Views {
    'personal-tokens/list': Page & {
      readonly tokens: readonly (ShownToken & {
        readonly isFullAccess: boolean;
        readonly permissions: readonly string[];
      })[];
      readonly mayAdd: boolean;
      readonly maxTokens: number;
      readonly shownToken: string | undefined;
      readonly apiUrl: string;
    };
    'personal-tokens/new': Page &
      FormFaults &
      ReturnType<typeof scopeTableOf> & {
        readonly formKey: string;
        readonly expiries: readonly (readonly [days: string, words: string])[];
        readonly hasFullAccess: boolean;
        readonly problem: string | undefined;
      };
  }
}

export const tokensHome = '/settings/tokens';
const newPath = `${tokensHome}/new`;
const doneWords = {
  created: 'Token created.',
  created_before: 'This form has already created a token. Create another one if you need it.',
  deleted: 'Token deleted. It no longer works.',
} as const;

const problems = {
  enough: `You already have ${maxPersonalTokens} tokens. Delete one to create another.`,
} as const;

const dayMs = 86_400_000;
const expiries = [30, 90, 365] as const;

const params = z.object({ tokenId: z.guid() });

/** Scopes of other APIs open nothing here (contract §6). */
const ownScopesOf = ({ areas }: Permissions): KnownScopes =>
  areas.flatMap(({ read, write }) => [read.name, write.name]);

function bodyOf(known: KnownScopes, offered: readonly string[]) {
  const form = z
    .object({
      form_key: registrationKey,
      name: lineOf(60, 'Enter a name.'),
      days: z.enum(offered, { error: 'Choose when it expires.' }).transform(Number),
      access: z.enum(['full', 'chosen'], { error: 'Choose what it can do.' }),
      scopes: scopeChoiceOf(known),
    })
    .refine(({ access, scopes }) => access === 'full' || scopes.length > 0, {
      path: ['scopes'],
      error: 'Select at least one permission, or choose full access.',
    })
    .transform(({ access, scopes, ...form }) => ({
      ...form,
      scopes: access === 'full' ? known : scopes,
    }));
  return z.unknown().transform((body) => {
    const sent = readRows(body);
    return { ...readForm(form, sent), chosen: sentScopes.parse(sent) };
  });
}

const everything = { scopes: 'all', isFullAccess: true } as const;

/** People make tokens for scripts of their own (contract §5). */
export const personalTokensPlugin = settingsPlugin('personal-tokens', tokensHome, async (app) => {
  app.addHook('onRequest', keepEnglish);
  tellOutcomes(app, doneWords);
  const { config, db, permissions, runtime } = app;
  const { lifetimes } = config;
  const offered = [
    ...new Set(expiries.map((days) => `${Math.min(days, lifetimes.refreshMaxSeconds / 86_400)}`)),
  ];

  app.get(tokensHome, { exposeHeadRoute: false }, async (request, reply) => {
    const { id } = sessionOf(request).person;
    const tokens = await listPersonalTokens(db, id, lifetimes, runtime.now());
    return sendPage(reply, 'personal-tokens/list', {
      title: 'Personal tokens',
      tokens: tokens.map((one) => ({
        ...one,
        isFullAccess: givesFullAccess(everything, one.scopes, rulesOf(permissions.known)),
        permissions: describePermissions(permissions, one.scopes),
      })),
      mayAdd: tokens.length < maxPersonalTokens,
      maxTokens: maxPersonalTokens,
      shownToken: takeShownSecret(reply, app, tokensHome, String(id)),
      apiUrl: config.apiUrl,
    });
  });

  const asking = { preValidation: [requireRecentSignIn, requireVerifiedEmail] };
  app.get(newPath, asking, async (_request, reply) => sendNew(reply));

  const creating = {
    preValidation: requireVerifiedEmail,
    schema: { body: bodyOf(ownScopesOf(permissions), offered) },
  };
  app.post(newPath, creating, async (request, reply) => {
    const { chosen, ...form } = request.body;
    if (!form.ok) return sendNew(reply.code(400), form, chosen);
    const { person, idHash: sessionIdHash } = sessionOf(request);
    const { days, form_key: formKey, name } = form.value;
    const scopes = [...form.value.scopes];
    const token = makeToken(runtime);
    const expiresAt = new Date(runtime.now().getTime() + days * dayMs);
    const outcome = await addPersonalToken(
      db,
      {
        grantId: newUuid(runtime),
        userId: person.id,
        formKey,
        name,
        scopes,
        expiresAt,
        tokenHash: hashToken(token),
        hint: hintOf(token),
      },
      {
        sessionIdHash,
        lifetimes,
        notices: noticesTo(app, person, creationEmail(name, config.appUrl, await wordsFor(app, person))),
      },
      auditContextOf(request),
    );
    switch (outcome) {
      case 'enough':
        return sendNew(reply.code(409), { ...form, faults: {} }, chosen, problems.enough);
      case 'added_before':
        return reply.redirect(`${tokensHome}?done=created_before`, 303);
      case 'added':
        sendShownSecret(reply, app, tokensHome, String(person.id), token);
        return reply.redirect(`${tokensHome}?done=created`, 303);
    }
  });

  app.get(`${tokensHome}/:tokenId/delete`, { schema: { params } }, async (request, reply) => {
    const tokens = await listPersonalTokens(db, sessionOf(request).person.id, lifetimes, runtime.now());
    const { name } = orNotFound(tokens.find(({ id }) => id === request.params.tokenId));
    return sendPage(reply, 'deletion', {
      title: `Delete ${name}?`,
      text: 'Scripts that send this token are refused from then on. You can’t undo this.',
      button: 'Delete token',
      back: { address: tokensHome, words: 'Personal tokens' },
    });
  });

  const ending = { config: { oldSignInBecause: 'it ends access' }, schema: { params } };
  app.post(`${tokensHome}/:tokenId/delete`, ending, async (request, reply) => {
    const { id } = sessionOf(request).person;
    await deletePersonalToken(db, id, request.params.tokenId, auditContextOf(request));
    return reply.redirect(`${tokensHome}?done=deleted`, 303);
  });

  async function sendNew(
    reply: FastifyReply,
    form: FormFaults = untouched,
    chosen: readonly unknown[] = [],
    problem?: string,
  ): Promise<FastifyReply> {
    return sendPage(reply, 'personal-tokens/new', {
      title: 'New personal token',
      typed: form.typed,
      faults: form.faults,
      ...scopeTableOf({ areas: permissions.areas, others: [], identity: undefined }, chosen),
      formKey: newRegistrationKey(runtime),
      expiries: offered.map((days) => [days, days === '1' ? '1 day' : `${days} days`]),
      hasFullAccess: form.typed['access'] === 'full',
      problem,
    });
  }
});

function creationEmail(name: string, appUrl: string, words: Words): Email {
  const { t } = words;
  return {
    words,
    subject: t('A personal token was created'),
    text: [t('A script that has it can use the API for your account.')],
    facts: [[t('Token'), name]],
    button: { words: t('View personal tokens'), address: `${appUrl}${tokensHome}` },
    advice: [
      t('If this was you, no action is needed.'),
      t('If it wasn’t you, delete the token and change your password.'),
    ],
    links: [{ words: t('Change password'), address: `${appUrl}/settings/password` }],
  };
}
