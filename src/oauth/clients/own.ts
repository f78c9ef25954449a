import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionOf } from '../../accounts/session.ts';
import type { Db } from '../../io/database.ts';
import { sendNotFoundPage } from '../../pages.ts';
import type { ClientRoute } from './address.ts';
import { badgesOf } from './status.ts';
import { findOwnClient } from './store.ts';

/** The client of the address if it is the signed-in person's own; to everybody else it is as if there were none. */
export async function ownClientOf(db: Db, request: FastifyRequest<ClientRoute>) {
  const client = await findOwnClient(db, request.params.clientId, sessionOf(request).person.id);
  return client && { ...client, badges: badgesOf({ ...client, editStatus: client.edit?.status }) };
}

/** An owner's client, ready to be shown. */
export type ShownClient = NonNullable<Awaited<ReturnType<typeof ownClientOf>>>;

/** Answers about the person's own client; there is no such page for anybody else. */
export async function withOwnClient(
  db: Db,
  request: FastifyRequest<ClientRoute>,
  reply: FastifyReply,
  answer: (client: ShownClient) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const client = await ownClientOf(db, request);
  return client === undefined ? sendNotFoundPage(request, reply) : answer(client);
}
