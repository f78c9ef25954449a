import type { FastifyInstance } from 'fastify';
import { sendApiError, sendData } from '../../http.ts';
import type { Db } from '../../io/database.ts';
import { type BearerDeps, bearerOf, sendRevokedToken } from '../bearer.ts';
import { lookUpOperation } from '../operations.ts';
import type { ClientRoute } from './address.ts';
import { lookUpClient } from './store.ts';

/** Client look-up for any valid bearer token, contract §2: what an app may know of an app, and no more. */
export function registerClientLookUp(
  app: FastifyInstance,
  deps: BearerDeps & { readonly db: Db; readonly appUrl: string },
): void {
  app.get<ClientRoute>(
    '/auth/oauth2/clients/:clientId',
    { config: lookUpOperation },
    async (request, reply) => {
      const { clientId } = request.params;
      const found = await lookUpClient(deps.db, bearerOf(request).grantId, clientId);
      if (found === undefined) return sendRevokedToken(request, reply, deps);
      const { client } = found;
      if (client === undefined)
        return sendApiError(request, reply, 'NotFound', 'There is no client with this id.');
      return sendData(reply, {
        client_id: client.id,
        name: client.name,
        redirect_uri: client.redirectUris[0] ?? null,
        redirect_uris: client.redirectUris,
        logo: client.logoId === null ? null : `${deps.appUrl}/logos/${client.logoId}`,
        client_type: client.type,
        is_trusted: false,
      });
    },
  );
}
