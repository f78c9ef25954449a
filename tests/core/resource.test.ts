import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideResources, maxResources, narrowResources } from '../../src/oauth/core/scope.ts';

const api = 'https://api.example';
const notes = 'https://notes.example/mcp';
const crm = 'https://crm.example';
const known = [api, notes, crm] as const;

const refused = { ok: false, reason: 'resource_refused' };

describe('at authorization (RFC 8707 §2.1, contract §3, security C62)', () => {
  test.each([
    ['nothing', undefined, null],
    ['only spaces', '  ', null],
    ['our API', api, null],
    ['our API with a slash', `${api}/`, null],
    ['our API in other letters, with its port', 'HTTPS://Api.Example:443', null],
    ['a path of our API', `${api}/v2/bookings?take=1`, null],
    ['our API twice', `${api} ${api}/v2`, null],
    ['another', notes, [notes]],
    ['another with a slash', `${notes}/`, [notes]],
    ['another without a path', 'https://crm.example/', [crm]],
    [
      'ten of the longest',
      Array.from({ length: maxResources }, () => `${api}/`.padEnd(2048, 'a')).join(' '),
      null,
    ],
    ['several, in any order', `${crm} ${api}/v2 ${notes} ${crm}/`, [api, notes, crm]],
  ])('%s is granted', (_, requested, value) => {
    expect(decideResources(requested, known)).toEqual({ ok: true, value });
  });

  test.each([
    ['a foreign one', 'https://evil.example'],
    ['a foreign one beside ours', `${api} https://evil.example`],
    ['a host that begins as ours', 'https://api.example.evil.example'],
    ['our host with http', 'http://api.example'],
    ['another port', 'https://api.example:8443'],
    ['our host as user info', 'https://api.example@evil.example'],
    ['user info', 'https://user@api.example/'],
    ['a fragment', `${api}/#part`],
    ['an empty fragment', `${api}#`],
    ['a path below another', `${notes}/below`],
    ['the host of another', 'https://notes.example'],
    ['a query of another', `${notes}?all`],
    ['a blob of our origin', 'blob:https://api.example/x'],
    ['a relative one', '/v2'],
    ['what is no address', 'api.example'],
    ['more than ten', Array.from({ length: maxResources + 1 }, () => api).join(' ')],
    ['a very long one beside ours', `${api} ${api}/${'a'.repeat(2048)}`],
    ['our API behind something', `x${api}/`],
  ])('%s is refused', (_, requested) => {
    expect(decideResources(requested, known)).toEqual(refused);
  });
});

describe('at exchange and refresh (RFC 8707 §2.2, contract §4, security C62)', () => {
  test.each([
    ['nothing, of our API', undefined, null, null],
    ['our API, of our API', `${api}/v2`, null, null],
    ['nothing, of several', undefined, [api, notes], [api, notes]],
    ['one of several', notes, [api, notes], [notes]],
    ['our API, of several', api, [api, notes], null],
    ['nothing, where one is no longer listed', undefined, [notes, 'https://gone.example'], [notes]],
  ])('%s is given', (_, requested, granted, value) => {
    expect(narrowResources(requested, granted, known)).toEqual({ ok: true, value });
  });

  test.each([
    ['another, of our API', notes, null],
    ['our API, of another', api, [notes]],
    ['more than was granted', `${notes} ${crm}`, [notes]],
    ['nothing, where none is listed any more', undefined, ['https://gone.example']],
    ['one that is no longer listed', 'https://gone.example', ['https://gone.example', notes]],
  ])('%s is refused', (_, requested, granted) => {
    expect(narrowResources(requested, granted, known)).toEqual(refused);
  });
});

test('whatever is asked for, nothing is given that is not listed, approved and named (security C62)', () => {
  const name = fc.oneof(
    fc.constantFrom(...known, `${api}/v2`, `${notes}/`, 'https://evil.example', 'https://api.example.evil'),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string(),
  );
  const requests = fc.array(name, { maxLength: 4 }).map((names) => names.join(' '));
  fc.assert(
    fc.property(requests, requests, (asked, narrowed) => {
      const granted = decideResources(asked, known);
      if (!granted.ok) return;
      expect(known).toEqual(expect.arrayContaining([...(granted.value ?? [api])]));
      expect(narrowResources(undefined, granted.value, known)).toEqual(granted);
      const given = narrowResources(narrowed, granted.value, known);
      if (!given.ok) return;
      for (const resource of given.value ?? [api]) expect(granted.value ?? [api]).toContain(resource);
    }),
    { numRuns: 1000 },
  );
});
