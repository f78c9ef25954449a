import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { sendApiError } from '../../api/errors.ts';
import type { Client } from '../../oauth/core/client.ts';
import { issueForManagedUser } from '../../oauth/token/exchange.ts';
import type { Db } from '../../platform/database.ts';
import { nodeHash } from '../../platform/secrets.ts';
import { prepareUpcomingCancellations, reassignUpcoming } from '../bookings/cancel.ts';
import { managedEmailOf, managedSuffixLength } from '../core/display-email.ts';
import { paginationOf } from '../operation.ts';
import { platformClientOf, platformClientPlugin } from './platform-client.ts';
import { clientParams, managedUserChanges, managedUserPage, newManagedUser, userParams } from './request.ts';
import { operations, showManagedUser, showTokens } from './response.ts';
import {
  changeManagedUser,
  createManagedUser,
  deleteManagedUser,
  findManagedUser,
  listManagedUsers,
  replaceGrants,
} from './store.ts';

/** Users that a platform's client creates and acts for (contract §8), like Cal.com's. */
export const managedUsersPlugin = fp(registerManagedUsers, {
  name: 'managed-users',
  dependencies: ['platform'],
  encapsulate: true,
});

async function registerManagedUsers(scope: FastifyInstance): Promise<void> {
  await scope.register(platformClientPlugin);
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { db, runtime } = app;
  const { lifetimes } = app.config;

  app.post(
    '',
    { schema: { params: clientParams, body: newManagedUser, ...operations.create } },
    async (request, reply) => {
      const { client, organizationId } = platformClientOf(request);
      const now = runtime.now();
      const values = { ...request.body, email: storedEmailOf(request.body.email, client) };
      const created = await createManagedUser(
        db,
        values,
        { clientId: client.id, organizationId },
        (tx, userId) => issueForManagedUser(app, tx, client, userId, now),
        now,
      );
      if (!created.ok) return sendTaken(request, reply);
      const { user, issued } = created.value;
      const data = { user: showManagedUser(user), ...showTokens(issued, lifetimes, now) };
      return reply.code(201).send({ status: 'success', data });
    },
  );

  app.get(
    '',
    { schema: { params: clientParams, querystring: managedUserPage, ...operations.list } },
    async (request, reply) => {
      const { take, skip } = request.query;
      const { found, total } = await listManagedUsers(db, platformClientOf(request).client.id, request.query);
      const pagination = paginationOf(total, found.length, take, skip);
      return reply.send({ status: 'success', data: found.map(showManagedUser), pagination });
    },
  );

  app.get('/:userId', { schema: { params: userParams, ...operations.get } }, async (request, reply) => {
    const { client } = platformClientOf(request);
    return sendUser(request, reply, client, request.params.userId);
  });

  app.patch(
    '/:userId',
    { schema: { params: userParams, body: managedUserChanges, ...operations.update } },
    async (request, reply) => {
      const { client } = platformClientOf(request);
      const { userId } = request.params;
      const { email, ...others } = request.body;
      const changes = {
        ...others,
        ...(email === undefined ? {} : { email: storedEmailOf(email, client) }),
      };
      const changed = await changeManagedUser(db, client.id, userId, changes);
      return changed.ok ? sendUser(request, reply, client, userId) : sendTaken(request, reply);
    },
  );

  app.delete('/:userId', { schema: { params: userParams, ...operations.delete } }, async (request, reply) => {
    const { client } = platformClientOf(request);
    const { userId } = request.params;
    if ((await findManagedUser(db, client.id, userId)) === undefined) return sendNoUser(request, reply);
    await reassignUpcoming(app, userId);
    for (;;) {
      const now = runtime.now();
      const cancellations = await prepareUpcomingCancellations(app, userId, now);
      const deleted = await deleteManagedUser(db, client.id, userId, cancellations, now);
      // A booking came or went while its emails were rendered: prepare them again.
      if (!deleted.ok && deleted.reason === 'bookings_changed') continue;
      if (!deleted.ok) return sendNoUser(request, reply);
      app.mail.nudge();
      return reply.send({ status: 'success', data: showManagedUser(deleted.value) });
    }
  });

  app.post(
    '/:userId/force-refresh',
    { schema: { params: userParams, ...operations.forceRefresh } },
    async (request, reply) => {
      const { client } = platformClientOf(request);
      const { userId } = request.params;
      const now = runtime.now();
      const issue = (tx: Pick<Db, 'insert'>) => issueForManagedUser(app, tx, client, userId, now);
      const issued = await replaceGrants(db, client.id, userId, issue, now);
      if (issued === undefined) return sendNoUser(request, reply);
      return reply.send({ status: 'success', data: showTokens(issued, lifetimes, now) });
    },
  );

  async function sendUser(
    request: FastifyRequest,
    reply: FastifyReply,
    client: Client,
    userId: number,
  ): Promise<FastifyReply> {
    const found = await findManagedUser(db, client.id, userId);
    if (found === undefined) return sendNoUser(request, reply);
    return reply.send({ status: 'success', data: showManagedUser(found) });
  }
}

/** The suffix depends on the client, so that it can't create the same person twice. */
function storedEmailOf(email: string, client: Client): string {
  const digest = Buffer.from(nodeHash.sha256(Buffer.from(client.id))).toString('hex');
  return managedEmailOf(email, digest.slice(0, managedSuffixLength));
}

function sendNoUser(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendApiError(request, reply, 'NotFound', 'Managed user not found.');
}

function sendTaken(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const message = 'The client already manages a user with this email address.';
  return sendApiError(request, reply, 'Conflict', message, {
    email: 'Use another email address.',
  });
}
