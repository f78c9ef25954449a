import { type ApiDocument, nameOf, type Schema } from '../../src/api/openapi/document.ts';
import { contentTypeOf, type FindMisfits, isOfRfc, type ListedOperation } from '../support/document.ts';

/** A call of an operation with one value that the document does not allow. */
export interface WrongCall {
  /** The field, as the details of an error name it; `body` for the whole of it. */
  readonly field: string;
  readonly value: unknown;
  /** With its path parameters and its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined for an operation without a body. */
  readonly payload: string | undefined;
}

const wrongValues = [null, -1.5, true, [], {}, '', 'NaN'] as const;
const wrongTexts = ['null', '-1.5', '0x1', 'true', '[]', '{}', '', 'NaN'] as const;

/** Every call of an operation that has one wrong value in one place; `values` are what its path is filled with. */
export function listWrongCalls(
  document: ApiDocument,
  listed: ListedOperation,
  values: Readonly<Record<string, string>>,
  findMisfits: FindMisfits,
): readonly WrongCall[] {
  const right = rightValuesOf(listed, values);
  return [
    ...listWrongParameters(listed, right, findMisfits),
    ...listWrongBodies(document, listed, right, findMisfits),
  ];
}

/** What is sent by each parameter of a path or a query. */
type Sent = Readonly<Record<string, readonly string[]>>;

function rightValuesOf({ operation }: ListedOperation, values: Readonly<Record<string, string>>): Sent {
  const needed = operation.parameters.filter(({ required }) => required);
  return Object.fromEntries(
    needed.map(({ name, example, schema }) => [
      name,
      [values[name] ?? String(example ?? schema.examples?.[0] ?? '')],
    ]),
  );
}

function addressOf({ path, operation }: ListedOperation, sent: Sent): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(sent[name]?.[0] ?? ''),
  );
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name }) => (sent[name] ?? []).map((text) => `${name}=${encodeURIComponent(text)}`));
  return `${filled}?${query.join('&')}`;
}

function exampleBodyOf(listed: ListedOperation): unknown {
  return listed.operation.requestBody?.content[contentTypeOf(listed)]?.example;
}

function listWrongParameters(
  listed: ListedOperation,
  right: Sent,
  findMisfits: FindMisfits,
): readonly WrongCall[] {
  const example = exampleBodyOf(listed);
  const payload = example === undefined ? undefined : JSON.stringify(example);
  return listed.operation.parameters.flatMap(({ name, in: place, schema }, index): WrongCall[] => {
    const schemaAt = ['paths', listed.path, listed.method, 'parameters', String(index), 'schema'];
    const candidates = place === 'query' ? [...wrongTexts, ['NaN', 'NaN']] : wrongTexts;
    return (
      candidates
        // Sent once, a list has one item.
        .filter((value) => findMisfits(schemaAt, schema.type === 'array' ? [value].flat() : value).length > 0)
        .map((value) => ({
          field: name,
          value,
          path: addressOf(listed, { ...right, [name]: [value].flat() }),
          headers: place === 'header' ? { [name]: String(value) } : {},
          payload,
        }))
    );
  });
}

function listWrongBodies(
  document: ApiDocument,
  listed: ListedOperation,
  right: Sent,
  findMisfits: FindMisfits,
): readonly WrongCall[] {
  const { requestBody } = listed.operation;
  if (requestBody === undefined) return [];
  const body = [
    'paths',
    listed.path,
    listed.method,
    'requestBody',
    'content',
    contentTypeOf(listed),
    'schema',
  ];
  return listPlaces(document, { at: [], schemaAt: body }).flatMap(({ at, schemaAt, isOptional }) =>
    wrongValues
      // null in a field that may be left out is the field left out (contract §8).
      .filter((value) => value !== null || isOptional !== true || isOfRfc(listed))
      .filter((value) => findMisfits(schemaAt, value).length > 0)
      // null for a whole body that may be left out is as good as none.
      .filter((value) => at.length > 0 || value !== null || requestBody.required)
      .map((value) => ({ value, whole: put(exampleBodyOf(listed), at, value) }))
      // What one of several forms doesn't allow, another one may.
      .filter(({ whole }) => findMisfits(body, isOfRfc(listed) ? whole : withoutNulls(whole)).length > 0)
      .map(({ value, whole }) => ({
        field: at.length === 0 ? 'body' : at.join('.'),
        value,
        path: addressOf(listed, right),
        headers: {},
        payload: JSON.stringify(whole),
      })),
  );
}

/** A field that is null is one that was left out (contract §8). */
function withoutNulls(body: unknown): unknown {
  const drop = (_key: string, value: unknown) => (value === null ? undefined : value);
  return body === null ? null : JSON.parse(JSON.stringify(body, drop));
}

/** A place in a body, with that of its schema in the document. */
interface Place {
  readonly at: readonly string[];
  readonly schemaAt: readonly string[];
  readonly isOptional?: boolean;
}

export function listPlaces(document: ApiDocument, place: Place): readonly Place[] {
  const schema = schemaIn(document, place.schemaAt);
  const name = nameOf(schema);
  if (name !== undefined)
    return listPlaces(document, { ...place, schemaAt: ['components', 'schemas', name] });
  const isOptional = (key: string): boolean => !schema.required?.includes(key);
  const within = (key: string | undefined, ...schemaKeys: string[]): readonly Place[] =>
    listPlaces(document, {
      at: key === undefined ? place.at : [...place.at, key],
      schemaAt: [...place.schemaAt, ...schemaKeys],
      isOptional:
        key === undefined ? place.isOptional === true : schemaKeys[0] !== 'items' && isOptional(key),
    });
  return [
    place,
    ...Object.keys(schema.properties ?? {}).flatMap((key) => within(key, 'properties', key)),
    ...(schema.items === undefined ? [] : within('0', 'items')),
    ...(typeof schema.additionalProperties === 'object' ? within('a', 'additionalProperties') : []),
    ...(schema.anyOf ?? []).flatMap((_, index) => within(undefined, 'anyOf', String(index)).slice(1)),
    ...(schema.oneOf ?? []).flatMap((_, index) => within(undefined, 'oneOf', String(index)).slice(1)),
  ];
}

/** The schema at a place of a document, as it is written there. */
export function schemaIn(document: ApiDocument, keys: readonly string[]): Schema {
  let found: unknown = document;
  for (const key of keys) found = isObject(found) ? found[key] : undefined;
  if (!isObject(found)) throw new Error(`there is no schema at ${keys.join('/')}`);
  return found;
}

/** The example with another value at a place; what the place is within is made if it is not there. */
export function put(whole: unknown, at: readonly string[], value: unknown): unknown {
  const [key, ...rest] = at;
  if (key === undefined) return value;
  if (key === '0') return [put(Array.isArray(whole) ? whole[0] : undefined, rest, value)];
  const fields = isObject(whole) && !Array.isArray(whole) ? whole : {};
  return { ...fields, [key]: put(fields[key], rest, value) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
