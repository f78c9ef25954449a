import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileInput } from '../../src/api/input-faults.ts';
import { recordingRoutes } from '../support/routes.ts';
import { openTestService } from '../support/service.ts';

const [, routes] = await recordingRoutes(() => openTestService());

/** The bodies of the API, each with the example that its documentation gives. */
const bodies = routes.flatMap(({ url, method, schema }) => {
  const body = schema?.body;
  if (!/^\/v2\/(?!auth)/.test(url) || !(body instanceof z.ZodType)) return [];
  const { examples = [{}] } = z.globalRegistry.get(body) ?? {};
  const [example = {}] = z.array(z.record(z.string(), z.unknown())).parse(examples);
  return [{ name: `${method} ${url}`, url, method, body, example }];
});

const parse = ({ body, url }: (typeof bodies)[number], value: unknown) => {
  const checked = z
    .object({ value: z.unknown(), error: z.instanceof(Error).optional() })
    .partial()
    .parse(compileInput({ schema: body, httpPart: 'body', method: 'POST', url })(structuredClone(value)));
  return checked;
};

/** The names of an object's fields, also where other rules follow. */
function fieldsOf(schema: unknown): Readonly<Record<string, z.ZodType>> {
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return fieldsOf(schema.unwrap());
  return schema instanceof z.ZodObject
    ? z.record(z.string(), z.instanceof(z.ZodType)).parse(schema.shape)
    : {};
}

describe('null in an optional field is the field left out (contract §8)', () => {
  test('there are such fields', () => expect(bodies.length).toBeGreaterThan(15));

  test.each(bodies)('$name', (one) => {
    const optional = Object.entries(fieldsOf(one.body)).filter(([, field]) => field.isOptional());
    for (const [name, field] of optional) {
      const { [name]: _, ...without } = one.example;
      const [left, sent] = [parse(one, without), parse(one, { ...without, [name]: null })];

      if (field.isNullable()) expect.soft(sent.error?.message, name).toBe(left.error?.message);
      else expect.soft(sent, name).toEqual(left);
    }
  });
});

describe('nor does null count deeper (contract §8)', () => {
  const found = (method: string, url: string) => {
    const one = bodies.find((body) => body.method === method && body.url === url);
    if (one === undefined) throw new Error(`${method} ${url} has no body`);
    return one;
  };
  const attendee = { name: 'Bob', email: 'bob@example.com', timeZone: 'Europe/Rome' };
  const booking = { start: '2030-01-07T09:00:00Z', eventTypeId: 1, attendee };

  test.each<[string, string, object, object]>([
    ['POST', '/v2/bookings', { ...booking, attendee: { ...attendee, phoneNumber: null } }, booking],
    [
      'POST',
      '/v2/bookings',
      { ...booking, bookingFieldsResponses: { company: null, size: 3 } },
      { ...booking, bookingFieldsResponses: { size: 3 } },
    ],
    [
      'POST',
      '/v2/bookings',
      { ...booking, location: null, guests: null, metadata: null, lengthInMinutes: null },
      booking,
    ],
  ])('%s %s %j', (method, url, sent, meant) => {
    const one = found(method, url);

    expect(parse(one, sent)).toEqual(parse(one, meant));
    expect(parse(one, meant).error).toBeUndefined();
  });

  test('but null for what is needed is a field that is missing', () => {
    const { error } = parse(found('POST', '/v2/bookings'), { ...booking, start: null });

    expect(error).toMatchObject({ details: { start: 'This field is required.' } });
  });

  test('and null in a list is no item left out', () => {
    const { error } = parse(found('POST', '/v2/bookings'), { ...booking, guests: [null] });

    expect(error).toMatchObject({ details: { 'guests.0': expect.any(String) } });
  });
});
