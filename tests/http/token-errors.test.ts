import { describe, expect, test } from 'vitest';
import { tokenRefusals } from '../../src/oauth/core/refusal.ts';
import { codeFaults, type Fault, refreshFaults } from '../core/token-faults.ts';
import { textOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { grantsOf, refusalOf, tokenPath } from '../support/tokens.ts';
import { requestToken } from '../support/world.ts';
import { draftExchange, draftRefresh, sendDraft } from './token-drafts.ts';

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
