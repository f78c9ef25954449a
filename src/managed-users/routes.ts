import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { finishDeletionAtOnce } from '../accounts/deletion/deletion.ts';
import { displayEmailOf, managedEmailOf, managedSuffixLength } from '../accounts/display-email.ts';
import { sendApiError, sendInputFaults } from '../api/errors.ts';
import { accessTokenSeconds } from '../oauth/core/access-token.ts';
import type { Client } from '../oauth/core/client.ts';
import type { Lifetimes } from '../oauth/core/grant.ts';
import type { IssuedTokens } from '../oauth/core/token-request.ts';
import { nameScopes } from '../oauth/own-scopes.ts';
import { type AuditContext, requestContext } from '../platform/audit/context.ts';
import { nodeHash } from '../platform/runtime.ts';
import { scopedPlugin } from '../platform/scoped-plugin.ts';
import { callingClientOf, callingClientParams, callingClientPlugin } from '../v2/calling-client.ts';
import { emailAddress, limitQuery, pageQuery, rowIdInAddress, several, timeZone } from '../v2/input.ts';
import {
  calendarHabits,
  exampleChanges,
  notOwnSchedule,
  profileChanges,
  profileFields,
} from '../v2/me/routes.ts';
import {
  exampleInt,
  exampleNull,
  exampleText,
  exampleTime,
  operationsOf,
  pageOf,
  showPage,
  successOf,
} from '../v2/operation.ts';
import {
  changeManagedUser,
  createManagedUser,
  deleteManagedUser,
  findManagedUser,
  findPlatformOf,
  listManagedUsers,
  type ManagedUser,
  maxManagedUsers,
  replaceGrants,
} from './store.ts';

const fields = {
  // The address must still be valid with the suffix (RFC 5321 §4.5.3.1).
  email: emailAddress(254 - managedSuffixLength - 1)
    .overwrite((text) => text.toLowerCase())
    .describe('Email address. It is stored with a suffix before the @; `displayEmail` has no suffix.')
    .meta({ format: 'email', examples: ['alice@example.com'] }),
  ...profileFields,
} as const;

const newManagedUser = z
  .object({
    ...fields,
    timeZone: timeZone.default('UTC'),
    weekStart: fields.weekStart.default('Monday'),
    timeFormat: fields.timeFormat.default(12),
  })
  .meta({
    id: 'NewManagedUser',
    examples: [{ email: 'alice@example.com', name: 'Alice Smith', timeZone: 'Europe/Rome' }],
  });

const managedUserChanges = profileChanges
  .extend({ email: fields.email.optional() })
  .meta({ id: 'ManagedUserChanges', examples: [exampleChanges] });

const managedUserPage = z
  .object({
    ...pageQuery,
    ...limitQuery,
    emails: several(emailAddress().overwrite((text) => text.toLowerCase()))
      .optional()
      .describe('Filter by email address, with or without the suffix: up to 100.')
      .meta({ examples: [['alice@example.com']] }),
  })
  .transform(({ take, skip, limit = take, offset = skip, emails }) => ({
    take: limit,
    skip: offset,
    emails,
  }));

const userParams = callingClientParams.extend({
  userId: rowIdInAddress.describe('The ID of a managed user.'),
});

const managedUserAnswer = z
  .object({
    id: z.int(),
    email: exampleText('alice+4f9c2e71b0d85a3369fe1c2d7@example.com', 'email').describe(
      'The stored address, with the suffix.',
    ),
    displayEmail: exampleText('alice@example.com', 'email').describe('The address without the suffix.'),
    username: exampleNull(z.string()).describe('Always null: managed users have no public booking page.'),
    name: exampleText('Alice Smith'),
    timeZone: exampleText('Europe/Rome'),
    ...calendarHabits,
    defaultScheduleId: exampleNull(z.int()).describe(
      'Default schedule; null means Monday to Friday, 9:00 to 17:00.',
    ),
    createdDate: exampleTime('2030-01-07T09:00:00.000Z').describe('When the user was created.'),
  })
  .meta({ id: 'ManagedUser' });

const tokenFields = {
  accessToken: exampleText('eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.an.example').describe(
    'Send it as `Authorization: Bearer`.',
  ),
  accessTokenExpiresAt: exampleInt(1_893_403_800_000).describe('Milliseconds since 1970.'),
  refreshToken: exampleText('lkr_the_first_refresh_token').describe(
    'Use it for the next tokens at POST /v2/auth/oauth2/token.',
  ),
  refreshTokenExpiresAt: exampleInt(1_895_994_000_000).describe(
    'Milliseconds since 1970, unless it is used before.',
  ),
} as const;

const managedUserTokens = z.object(tokenFields).meta({ id: 'ManagedUserTokens' });
const createdManagedUser = z
  .object({ user: managedUserAnswer, ...tokenFields })
  .meta({ id: 'CreatedManagedUser' });

const managedUserFamily = {
  name: 'Managed users',
  place: 110,
  version: '2024-04-15',
  words: 'Users that a platform client creates and acts for with its own credentials.',
} as const;
const byClient = operationsOf(managedUserFamily, { caller: 'client' });
const one = successOf(managedUserAnswer);
const notFound = { 404: 'Managed user not found.' };
const differences = { refused: { metadata: ['No metadata is stored with users.'] } } as const;
const taken = { 409: 'The client already manages a user with this email address.' };
const tooMany = `The client manages ${maxManagedUsers} users, the maximum. Delete one first.`;

const nothingOffered =
  'This installation offers none of the scopes that the client is registered and approved for at the moment, so there’d be nothing that its tokens open.';

const noPlatform = 'The client’s owner must be an owner or admin of a platform organization.';

/** Requires the credentials of the client in the path, which is a platform's (contract §8). */
export const managedUsersPlugin = scopedPlugin('managed-users', ['api-versions'], 'requests', async (app) => {
  const { lifetimes } = app.config;
  /** A token that opens nothing helps nobody (contract §6, §8). */
  const isOfferedNothing = ({ scopes }: Client): boolean =>
    nameScopes(scopes, app.tokenIssuer.scopes).length === 0; // protects: C362

  await app.register(callingClientPlugin);
  app.addHook('preValidation', async (request, reply) => {
    if ((await findPlatformOf(app.db, callingClientOf(request).id)) !== undefined) return undefined;
    request.log.info({ reason: 'no_platform' }, 'a platform client was refused');
    return sendApiError(reply, 'Forbidden', noPlatform);
  });

  app.post(
    '',
    byClient('createManagedUser', 'Create a managed user', successOf(createdManagedUser), {
      params: callingClientParams,
      body: newManagedUser,
      description:
        'Returns the user with its tokens. Managed users have no password and no public booking page; they act only through the client. They get no email about their bookings. Refresh their tokens at POST /v2/auth/oauth2/token with the grant_type `refresh_token`; there is no /v2/oauth/{clientId}/refresh.',
      differences,
      status: 201,
      errors: { 409: `${taken[409]} Or: ${tooMany}` },
    }),
    async (request, reply) => {
      const client = callingClientOf(request);
      if (isOfferedNothing(client)) return sendApiError(reply, 'Forbidden', nothingOffered);
      const by = contextOf(request);
      const values = { ...request.body, email: storedEmailOf(request.body.email, client) };
      const created = await createManagedUser(app, values, client, by);
      if (!created.ok && created.reason === 'too_many') return sendApiError(reply, 'Conflict', tooMany);
      if (!created.ok) return sendTaken(reply);
      const { user, issued } = created.value;
      const data = { user: showManagedUser(user), ...showTokens(issued, lifetimes, by.at) };
      return reply.code(201).send({ status: 'success', data });
    },
  );

  app.get(
    '',
    byClient('listManagedUsers', 'List managed users', pageOf(managedUserAnswer), {
      params: callingClientParams,
      querystring: managedUserPage,
    }),
    async (request, reply) => {
      const client = callingClientOf(request);
      const { emails, ...part } = request.query;
      const stored = emails?.flatMap((email) => [email, storedEmailOf(email, client)]);
      const { found, total } = await listManagedUsers(app, client.id, stored, part);
      return reply.send(showPage(found.map(showManagedUser), total, request.query));
    },
  );

  app.get(
    '/:userId',
    byClient('getManagedUser', 'Get a managed user', one, { params: userParams, errors: notFound }),
    async (request, reply) => sendUser(reply, await findManagedUser(app, request.params)),
  );

  app.patch(
    '/:userId',
    byClient('updateManagedUser', 'Update a managed user', one, {
      params: userParams,
      body: managedUserChanges,
      description: 'Omitted fields stay unchanged.',
      differences,
      errors: { ...notFound, ...taken },
    }),
    async (request, reply) => {
      const { body, params } = request;
      if ((await findManagedUser(app, params)) === undefined) return sendUser(reply, undefined);
      const email = body.email && storedEmailOf(body.email, callingClientOf(request));
      const changed = await changeManagedUser(app, params, { ...body, email }, contextOf(request));
      if (!changed.ok)
        return changed.reason === 'email_taken' ? sendTaken(reply) : sendInputFaults(reply, notOwnSchedule);
      return sendUser(reply, await findManagedUser(app, params));
    },
  );

  app.delete(
    '/:userId',
    byClient('deleteManagedUser', 'Delete a managed user', one, {
      params: userParams,
      description:
        'Revokes its tokens; it and its event types can’t be booked any more. Upcoming bookings it hosts are cancelled and attendees are notified, the next ones first, as far as 300 emails an hour go; round-robin bookings are reassigned to another free host. Its other bookings are deleted after 30 days.',
      errors: notFound,
    }),
    async (request, reply) => {
      const user = await findManagedUser(app, request.params);
      const isDeleted = await deleteManagedUser(app, request.params, contextOf(request));
      if (!isDeleted) return sendUser(reply, undefined);
      await finishDeletionAtOnce(app, request.params.userId);
      return sendUser(reply, user);
    },
  );

  app.post(
    '/:userId/force-refresh',
    byClient(
      'forceRefreshManagedUser',
      'Reissue the tokens of a managed user',
      successOf(managedUserTokens),
      {
        params: userParams,
        description: 'For clients that lost them. The previous tokens are revoked.',
        errors: notFound,
      },
    ),
    async (request, reply) => {
      const client = callingClientOf(request);
      if (isOfferedNothing(client)) return sendApiError(reply, 'Forbidden', nothingOffered);
      const by = contextOf(request);
      const issued = await replaceGrants(app, client, request.params.userId, by);
      if (issued === undefined) return sendUser(reply, undefined);
      return reply.send({ status: 'success', data: showTokens(issued, lifetimes, by.at) });
    },
  );
});

const contextOf = (request: FastifyRequest): AuditContext =>
  requestContext(request, { actorClientId: callingClientOf(request).id });

/** The suffix depends on the client, so a client can't create a person twice. */
function storedEmailOf(email: string, client: Client): string {
  const digest = Buffer.from(nodeHash.sha256(Buffer.from(client.id))).toString('hex');
  const suffix = digest.slice(0, managedSuffixLength);
  // Clients send back what they were answered.
  return email.includes(`+${suffix}@`) ? email : managedEmailOf(email, suffix);
}

function sendUser(reply: FastifyReply, user: ManagedUser | undefined): FastifyReply {
  if (user === undefined) return sendApiError(reply, 'NotFound', notFound[404]);
  return reply.send({ status: 'success', data: showManagedUser(user) });
}

function sendTaken(reply: FastifyReply): FastifyReply {
  return sendApiError(reply, 'Conflict', taken[409], { email: 'Use another email address.' });
}

function showManagedUser({ createdAt, ...user }: ManagedUser): z.output<typeof managedUserAnswer> {
  return {
    ...user,
    username: null,
    displayEmail: displayEmailOf(user.email),
    createdDate: createdAt.toISOString(),
  };
}

function showTokens(
  { accessToken, refreshToken }: IssuedTokens,
  { refreshIdleSeconds, refreshMaxSeconds }: Lifetimes,
  now: Date,
): z.output<typeof managedUserTokens> {
  const refreshSeconds = Math.min(refreshIdleSeconds, refreshMaxSeconds);
  return {
    accessToken,
    accessTokenExpiresAt: now.getTime() + accessTokenSeconds * 1000,
    refreshToken,
    refreshTokenExpiresAt: now.getTime() + refreshSeconds * 1000,
  };
}
