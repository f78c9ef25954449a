import type { Operation, Parameter } from '../openapi/document.ts';

/** An operation, and how to call it. */
export interface Called {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The command that calls an operation, with an example's values; a reader puts tokens and secrets in. */
export function curlOf({ method, path, operation }: Called, server: string): string {
  const { parameters, requestBody, security } = operation;
  const values = new Map(parameters.map((parameter) => [parameter.name, exampleOf(parameter)]));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(values.get(name) ?? name),
  );
  const query = new URLSearchParams(
    parameters.flatMap((parameter): [string, string][] => {
      const value = parameter.in === 'query' ? exampleOf(parameter) : undefined;
      return value === undefined ? [] : [[parameter.name, value]];
    }),
  ).toString();
  const address = quote(`${server}${filled}${query === '' ? '' : `?${query}`}`);
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${address}`,
    ...credentialsOf(security),
    ...parameters.flatMap(versionOf),
    ...bodyOf(requestBody),
  ].join(' \\\n  ');
}

function exampleOf({ example, required, schema }: Parameter): string | undefined {
  const value = example ?? (required ? (schema.examples?.[0] ?? schema.enum?.[0]) : undefined);
  return value === undefined ? undefined : String(value);
}

function credentialsOf(security: Operation['security']): string[] {
  const [first = {}] = security;
  if ('oauth2' in first) return [`-H 'Authorization: Bearer YOUR_ACCESS_TOKEN'`];
  return 'clientBasic' in first ? [`-u 'YOUR_CLIENT_ID:YOUR_CLIENT_SECRET'`] : [];
}

function versionOf({ name, schema }: Parameter): string[] {
  return name === 'cal-api-version' ? [`-H ${quote(`${name}: ${String(schema.enum?.[0])}`)}`] : [];
}

function bodyOf(body: Operation['requestBody']): string[] {
  if (body === undefined) return [];
  const form = body.content['application/x-www-form-urlencoded']?.example;
  if (typeof form === 'object' && form !== null)
    return Object.entries(form).map(
      ([name, value]) => `--data-urlencode ${quote(`${name}=${String(value)}`)}`,
    );
  const json = body.content['application/json']?.example;
  return [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(json, null, 2))}`];
}

/** A text in single quotes, as a shell reads it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
