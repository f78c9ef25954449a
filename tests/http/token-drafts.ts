import type { LightMyRequestResponse } from 'fastify';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { type Draft, formType } from '../core/token-faults.ts';
import { setClientStatus } from '../support/client-status.ts';
import type { TestService } from '../support/service.ts';
import { issueCode, issueTokens, postBody, refreshFields } from '../support/tokens.ts';
import { addClient, createPkce, type TestClient } from '../support/world.ts';

/** A draft to the service itself. */
interface ServiceDraft extends Draft {
  readonly service: TestService;
  readonly client: TestClient;
}

function draftOf(service: TestService, client: TestClient, fields: Record<string, string>): ServiceDraft {
  return {
    service,
    client,
    form: new URLSearchParams(fields),
    contentType: formType,
    setStatus: (status) => setClientStatus(service.database.db, client.id, status),
    advance: (seconds) => service.clock.advance(seconds),
  };
}

/** A right exchange, with PKCE, of a client of its own. */
export async function draftExchange(service: TestService, type: ClientType): Promise<ServiceDraft> {
  const client = await addClient(service, { type });
  return draftOf(service, client, await issueCode(service, client, { pkce: createPkce() }));
}

/** A right refresh of a client of its own. */
export async function draftRefresh(service: TestService, type: ClientType): Promise<ServiceDraft> {
  const client = await addClient(service, { type });
  const { refresh_token: refreshToken } = await issueTokens(service, client);
  return draftOf(service, client, refreshFields(client, refreshToken));
}

export async function sendDraft({
  service,
  form,
  contentType,
}: ServiceDraft): Promise<LightMyRequestResponse> {
  return postBody(service, form.toString(), { 'content-type': contentType });
}
