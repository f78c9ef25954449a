import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { sendApiError } from '../../http.ts';
import type { Db } from '../../io/database.ts';
import type { Client } from '../../oauth/core/client.ts';
import type { Hash } from '../../oauth/core/crypto.ts';
import type { Lifetimes } from '../../oauth/core/grant.ts';
import type { MintDeps } from '../../oauth/token/exchange.ts';
import { issueTokens } from '../../oauth/token/issue.ts';
import { cancelHosted, handOnHosted } from '../bookings/settling/departure.ts';
import type { BookDeps } from '../bookings/taking/take-slot.ts';
import { managedEmailOf, managedSuffixLength } from '../core/display-email.ts';
import { paginationOf } from '../operation.ts';
import { type PlatformClientDeps, platformClientOf, registerPlatformClientScope } from './platform-client.ts';
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

export interface ManagedUserDeps extends PlatformClientDeps, MintDeps, BookDeps {
  readonly lifetimes: Lifetimes;
}

const path = '/oauth-clients/:clientId/users';

/** Users whom a platform's client makes and acts for (contract §8), in the manner of Cal.com. */
export async function registerManagedUsers(scope: FastifyInstance, deps: ManagedUserDeps): Promise<void> {
  registerPlatformClientScope(scope, deps);
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { db, lifetimes } = deps;

  app.post(
    path,
    { schema: { params: clientParams, body: newManagedUser, ...operations.create } },
    async (request, reply) => {
      const { client, organizationId } = platformClientOf(request);
      const now = deps.system.now();
      const values = { ...request.body, email: await storedEmailOf(request.body.email, client, deps.hash) };
      const created = await createManagedUser(
        db,
        values,
        { clientId: client.id, organizationId },
        (tx, userId) => issueTokens(deps, tx, client, userId, now),
        now,
      );
      if (!created.ok) return sendTaken(request, reply);
      const { user, issued } = created.value;
      const data = { user: showManagedUser(user), ...showTokens(issued, lifetimes, now) };
      return reply.code(201).send({ status: 'success', data });
    },
  );

  app.get(
    path,
    { schema: { params: clientParams, querystring: managedUserPage, ...operations.list } },
    async (request, reply) => {
      const { take, skip } = request.query;
      const { found, total } = await listManagedUsers(db, platformClientOf(request).client.id, request.query);
      const pagination = paginationOf(total, found.length, take, skip);
      return reply.send({ status: 'success', data: found.map(showManagedUser), pagination });
    },
  );

  app.get(
    `${path}/:userId`,
    { schema: { params: userParams, ...operations.get } },
    async (request, reply) => {
      const { client } = platformClientOf(request);
      return sendUser(request, reply, client, request.params.userId);
    },
  );

  app.patch(
    `${path}/:userId`,
    { schema: { params: userParams, body: managedUserChanges, ...operations.update } },
    async (request, reply) => {
      const { client } = platformClientOf(request);
      const { userId } = request.params;
      const { email, ...others } = request.body;
      const changes = {
        ...others,
        ...(email === undefined ? {} : { email: await storedEmailOf(email, client, deps.hash) }),
      };
      const changed = await changeManagedUser(db, client.id, userId, changes);
      return changed.ok ? sendUser(request, reply, client, userId) : sendTaken(request, reply);
    },
  );

  app.delete(
    `${path}/:userId`,
    { schema: { params: userParams, ...operations.delete } },
    async (request, reply) => {
      const { client } = platformClientOf(request);
      const { userId } = request.params;
      if ((await findManagedUser(db, client.id, userId)) === undefined) return sendNoUser(request, reply);
      await handOnHosted(deps, userId);
      const deleted = await deleteManagedUser(db, client.id, userId, (tx) => cancelHosted(tx, userId, deps));
      if (deleted === undefined) return sendNoUser(request, reply);
      deps.nudgeOutbox();
      return reply.send({ status: 'success', data: showManagedUser(deleted) });
    },
  );

  app.post(
    `${path}/:userId/force-refresh`,
    { schema: { params: userParams, ...operations.forceRefresh } },
    async (request, reply) => {
      const { client } = platformClientOf(request);
      const { userId } = request.params;
      const now = deps.system.now();
      const issue = (tx: Pick<Db, 'insert'>) => issueTokens(deps, tx, client, userId, now);
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

/** The suffix comes from the client's id, so that a client cannot make the same person twice by accident. */
async function storedEmailOf(email: string, client: Client, hash: Hash): Promise<string> {
  const digest = Buffer.from(await hash.sha256(Buffer.from(client.id))).toString('hex');
  return managedEmailOf(email, digest.slice(0, managedSuffixLength));
}

function sendNoUser(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendApiError(request, reply, 'NotFound', 'The client manages no such user.');
}

function sendTaken(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const message = 'The client manages a user with this e-mail address already.';
  return sendApiError(request, reply, 'Conflict', message, {
    email: 'Choose an address that no other user of the client has.',
  });
}
