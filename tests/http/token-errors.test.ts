import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { tokenRefusals } from '../../src/oauth/core/refusal.ts';
import { codeFaults, type Draft, type Fault, formType, refreshFaults } from '../core/token-faults.ts';
import { setClientStatus } from '../support/client-status.ts';
import { textOf } from '../support/page-content.ts';
import { sharedService, type TestService } from '../support/service.ts';
import {
  grantsOf,
  issueCode,
  issueTokens,
  postBody,
  refreshFields,
  refusalOf,
  tokenPath,
} from '../support/tokens.ts';
import { addClient, createPkce, requestToken, type TestClient } from '../support/world.ts';

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
async function draftExchange(service: TestService, type: ClientType): Promise<ServiceDraft> {
  const client = await addClient(service, { type });
  return draftOf(service, client, await issueCode(service, client, { pkce: createPkce() }));
}

/** A right refresh of a client of its own. */
async function draftRefresh(service: TestService, type: ClientType): Promise<ServiceDraft> {
  const client = await addClient(service, { type });
  const { refresh_token: refreshToken } = await issueTokens(service, client);
  return draftOf(service, client, refreshFields(client, refreshToken));
}

async function sendDraft({ service, form, contentType }: ServiceDraft): Promise<LightMyRequestResponse> {
  return postBody(service, form.toString(), { 'content-type': contentType });
}

const service = await sharedService();

test('every error_uri leads to its own place on a page that we serve (contract §4)', async () => {
  const { headers, body, statusCode } = await service.app.inject('/docs/errors');
  const refused = await service.app.inject({ method: 'POST', url: tokenPath });
  const uri = new URL(String(refused.json()['error_uri']));

  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect([uri.origin, uri.pathname, uri.hash]).toEqual([
    service.appUrl,
    '/docs/errors',
    '#unsupported_content_type',
  ]);
  for (const reason of Object.keys(tokenRefusals)) expect(body).toContain(` id="${reason}"`);
  expect(body).not.toContain('<p></p>');
  expect(textOf(body)).toContain(
    'For a JSON body, send Content-Type: application/json: curl’s -d sends the form',
  );
});

describe.each(['confidential', 'public'] as const)('a %s client', (type) => {
  const mayHappen = ({ only = type }: Fault): boolean => only === type;
  const isNotOfTheBody = ({ part }: Fault): boolean => part !== 'body';

  describe.each([
    ['an exchange', codeFaults.filter(mayHappen), draftExchange, { generation: 0, redeemedAt: null }],
    ['a refresh', refreshFaults.filter(mayHappen), draftRefresh, { generation: 1 }],
  ] as const)('%s', (_name, faults, draftRight, unchanged) => {
    test.each(faults)('with $name answers $answer and changes nothing (contract §4)', async (fault) => {
      const draft = await draftRight(service, type);
      await fault.spoil(draft);

      const refused = await sendDraft(draft);

      expect(refusalOf(refused)).toEqual(fault.answer);
      expect(Object.keys(refused.json())).toEqual(['error', 'error_description', 'error_uri']);
      expect(await grantsOf(service, draft.client)).toMatchObject([{ ...unchanged, revokedAt: null }]);
    });

    test.each(faults.filter(isNotOfTheBody))(
      'with $name answers JSON and form byte for byte the same (security C22)',
      async ({ spoil }) => {
        const draft = await draftRight(service, type);
        await spoil(draft);

        const toForm = await sendDraft(draft);
        const toJson = await requestToken(service, Object.fromEntries(draft.form), { json: true });

        expect(toJson.body).toBe(toForm.body);
        expect(toJson.statusCode).toBe(toForm.statusCode);
        expect(toJson.headers['content-type']).toBe(toForm.headers['content-type']);
      },
    );
  });
});
