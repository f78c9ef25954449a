import { expect, test } from 'vitest';
import { type ApiMethod, callApi, represent } from '../support/api.ts';
import { basicOf } from '../support/basic.ts';
import { fetchDocument, type ListedOperation, listOperations } from '../support/document.ts';
import { addPlatformClient } from '../support/platform.ts';
import { openTestService } from '../support/service.ts';
import facts from './cal-com.json' with { type: 'json' };

const service = await openTestService();
const document = await fetchDocument(service.app);
const operations = listOperations(document);
const { token } = await represent(service);
const platform = await addPlatformClient(service);
const asPlatform = { token: undefined, headers: { authorization: basicOf(platform) } };

/** Parameters of paths have other names. */
const isSamePath = (one: string, other: string): boolean =>
  one.replaceAll(/\{\w+\}/g, '{}') === other.replaceAll(/\{\w+\}/g, '{}');

function bodyFieldsOf({ operation }: ListedOperation): string[] {
  const { schema } = operation.requestBody?.content['application/json'] ?? {};
  const name = schema?.$ref?.split('/').at(-1) ?? '';
  return Object.keys((document.components.schemas[name] ?? schema)?.properties ?? {});
}

/** Sent with an otherwise right request: a 400 names it, or it has no effect. */
async function isRefused({ method, path, operation }: ListedOperation, field: string, isQuery: boolean) {
  const address = path
    .replace(/^\/v2/, '')
    .replace('{clientId}', platform.id)
    .replaceAll(/\{\w+\}/g, '1');
  const example = operation.requestBody?.content['application/json']?.example;
  const sent = isQuery ? `${address}?${field}=1` : address;
  const body = isQuery ? example : Object.assign({}, example, { [field]: 1 });
  const verb = method.toUpperCase() as ApiMethod;
  const caller = path.includes('{clientId}') ? asPlatform : { token };
  const options = { ...caller, ...(operation.requestBody === undefined ? {} : { body: Object(body) }) };
  const answer = await callApi(service, verb, sent, options);
  if ([401, 403].includes(answer.statusCode)) throw new Error(`${method} ${path} was not read`);
  return answer.statusCode === 400 && field in answer.json().error.details;
}

test('docs/cal-com.md compares our document with Cal.com’s, field by field (with -u it is written)', async () => {
  const rows: string[] = [];
  const counts = { operations: 0, known: 0, fields: 0, supported: 0, refused: 0 };
  for (const [name, { query, body }] of Object.entries(facts)) {
    const [method = '', path = ''] = name.split(' ');
    const own = operations.find((it) => it.method.toUpperCase() === method && isSamePath(it.path, path));
    counts.operations += 1;
    if (own === undefined) {
      rows.push(`| \`${name}\` | absent | | |`);
      continue;
    }
    counts.known += 1;
    const params = own.operation.parameters.map((it) => it.name);
    const known = { query: params, body: bodyFieldsOf(own) };
    const kinds = { supported: [] as string[], refused: [] as string[], ignored: [] as string[] };
    for (const [place, fields] of Object.entries({ query, body })) {
      const isQuery = place === 'query';
      for (const field of fields) {
        if (known[isQuery ? 'query' : 'body'].includes(field)) kinds.supported.push(field);
        else if (await isRefused(own, field, isQuery)) kinds.refused.push(field);
        else kinds.ignored.push(field);
      }
    }
    counts.fields += query.length + body.length;
    counts.supported += kinds.supported.length;
    counts.refused += kinds.refused.length;
    const cell = (fields: string[]): string => fields.map((field) => `\`${field}\``).join(', ');
    rows.push(`| \`${name}\` | ${cell(kinds.supported)} | ${cell(kinds.refused)} | ${cell(kinds.ignored)} |`);
  }
  const share = (part: number, whole: number): string =>
    `${part} of ${whole} (${Math.round((100 * part) / whole)} %)`;
  const written = `# Cal.com's v2 API and ours

Written by \`tests/clients/cal-com.test.ts\`, which sends every field that we don't list;
\`npx vitest run tests/clients/cal-com.test.ts -u\` writes it again. It compares our OpenAPI document with Cal.com's of June 2025, in the
families of [contract.md](contract.md#8-v2-api), by the names of query parameters and of the body's own
fields.

- Operations here: ${share(counts.known, counts.operations)}.
- Fields of these operations supported: ${share(counts.supported, counts.fields)}; refused by a 400 that names them:
  ${counts.refused}; ignored: ${counts.fields - counts.supported - counts.refused}.

Fields in *ignored* have no effect here, or only their usual one: don't rely on them.

| Operation | Supported | Refused | Ignored |
|---|---|---|---|
${rows.join('\n')}
`;

  await expect(written).toMatchFileSnapshot('../../docs/cal-com.md');
});
