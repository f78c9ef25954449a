import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionOf } from '../../accounts/session.ts';
import type { Db } from '../../io/database.ts';
import { sendNotFoundPage } from '../../pages.ts';
import type { ClientRoute } from './address.ts';
import { findOwnClient, type OwnClient } from './store.ts';

/** The client of the address if it is the signed-in person's own; to everybody else it is as if there were none. */
export async function ownClientOf(
  db: Db,
  request: FastifyRequest<ClientRoute>,
): Promise<OwnClient | undefined> {
  return findOwnClient(db, request.params.clientId, sessionOf(request).person.id);
}

/** Answers about the person's own client; there is no such page for anybody else. */
export async function withOwnClient(
  db: Db,
  request: FastifyRequest<ClientRoute>,
  reply: FastifyReply,
  answer: (client: OwnClient) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const client = await ownClientOf(db, request);
  return client === undefined ? sendNotFoundPage(request, reply) : answer(client);
}
