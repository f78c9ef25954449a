import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPresentedToken, readTokenFields } from '../../src/oauth/http/request.ts';
import { readBy, revocationFields, tokenFields } from '../../src/oauth/token/fields.ts';

const names = [
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'resource',
  'token',
  'other',
];
const grantTypes = ['authorization_code', 'refresh_token', 'password', 'toString', undefined];
const bodies = fc
  .tuple(
    fc.constantFrom(...grantTypes),
    fc.dictionary(fc.constantFrom(...names), fc.string({ minLength: 1 })),
  )
  .map(([grantType, fields]) => ({
    ...fields,
    ...(grantType === undefined ? {} : { grant_type: grantType }),
  }));

test('the schema of the documents and the library read the same of a token request (contract §4)', () => {
  const bySchema = readBy(tokenFields, readTokenFields);
  fc.assert(fc.property(bodies, (fields) => void expect(readTokenFields(fields)).toEqual(bySchema(fields))));
});

test('and of a revocation (RFC 7009 §2.1)', () => {
  const bySchema = readBy(revocationFields, readPresentedToken);
  fc.assert(
    fc.property(bodies, (fields) => void expect(readPresentedToken(fields)).toEqual(bySchema(fields))),
  );
});
