import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * From Cal.com's published v2 document, the names of operations and fields:
 * `node tests/clients/cal-com-facts.ts openapi.json`. They are kept in cal-com.json.
 */
type Facts = Readonly<
  Record<string, { readonly query: readonly string[]; readonly body: readonly string[] }>
>;

interface Node {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly allOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly anyOf?: readonly Node[];
}

const node = z.custom<Node>();
const operation = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string() })).optional(),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: node })) }).optional(),
});
const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), node) }),
});

/** The families of contract §8. */
const families =
  /^\/v2\/(me|event-types|bookings|schedules|slots|calendars|destination-calendars|webhooks|teams|organizations\/\{\w+\}\/teams\/event-types|oauth-clients\/\{\w+\}\/(users|webhooks))(?!.*(private-links|verified-resources))(\/|$)/;

function factsOf({ paths, components }: z.output<typeof document>): Facts {
  const fieldsOf = ({ $ref, properties = {}, allOf = [], oneOf = [], anyOf = [] }: Node): string[] => [
    ...($ref === undefined ? [] : fieldsOf(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})),
    ...Object.keys(properties),
    ...[...allOf, ...oneOf, ...anyOf].flatMap(fieldsOf),
  ];
  const listed = Object.entries(paths)
    .filter(([path]) => families.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
        const query = parameters.filter((it) => it.in === 'query').map(({ name }) => name);
        const body = fieldsOf(requestBody?.content['application/json']?.schema ?? {});
        return [`${method.toUpperCase()} ${path}`, { query, body: [...new Set(body)] }] as const;
      }),
    );
  return Object.fromEntries(listed.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

if (import.meta.main) {
  const read = document.parse(JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')));
  await writeFile(join(import.meta.dirname, 'cal-com.json'), `${JSON.stringify(factsOf(read), null, 2)}\n`);
}
