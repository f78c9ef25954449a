import { type ApiDocument, type Method, methods, type Operation } from '../openapi/document.ts';
import { curlOf } from './curl.ts';
import { notesOf, type ShownField, type ShownSchema, showSchemas, type TypePart, typeOf } from './types.ts';

export interface ShownParameter extends Omit<ShownField, 'fields'> {
  /** `path`, `query` or `header`. */
  readonly place: string;
}

export interface ShownOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Who may call it, in words. */
  readonly access: string;
  readonly parameters: readonly ShownParameter[];
  /** Undefined: it takes no body. */
  readonly body: { readonly type: readonly TypePart[]; readonly isRequired: boolean } | undefined;
  readonly curl: string;
  readonly answer: {
    readonly status: string;
    readonly type: readonly TypePart[];
    readonly example: string | undefined;
  };
  readonly errors: readonly { readonly status: string; readonly description: string }[];
}

export interface ShownGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly operations: readonly ShownOperation[];
}

/** The reference as its page shows it. */
export interface Reference {
  readonly groups: readonly ShownGroup[];
  readonly schemas: readonly ShownSchema[];
}

/** The document for readers: its operations by family, in the order of the families, and the objects that they take and give. */
export function describeReference(document: ApiDocument): Reference {
  const [{ url }] = document.servers;
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    methods.flatMap((method) => {
      const operation = byMethod[method];
      return operation === undefined
        ? []
        : [{ tag: operation.tags[0], shown: show(method, path, operation, url) }];
    }),
  );
  const groups = document.tags.map(({ name, description }) => ({
    id: name.toLowerCase().replaceAll(' ', '-'),
    name,
    description,
    operations: operations.filter(({ tag }) => tag === name).map(({ shown }) => shown),
  }));
  return { groups, schemas: showSchemas(document) };
}

function show(verb: Method, path: string, operation: Operation, server: string): ShownOperation {
  const method = verb.toUpperCase();
  const { operationId: id, summary, description = '', parameters, requestBody, responses } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  const entries = Object.entries(responses);
  const [status, success] = entries.find(([code]) => code.startsWith('2')) ?? ['200', undefined];
  const [answered] = Object.values(success?.content ?? {});
  return {
    id,
    method,
    path,
    summary,
    description,
    access: accessOf(operation.security),
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      type: typeOf(parameter.schema),
      isRequired: parameter.required,
      description: parameter.description ?? '',
      notes: notesOf(parameter.schema),
    })),
    body: body && { type: typeOf(body.schema), isRequired: requestBody?.required ?? false },
    curl: curlOf({ method, path, operation }, server),
    answer: {
      status,
      type:
        answered === undefined
          ? [{ text: 'an empty body' }]
          : typeOf(answered.schema.properties?.['data'] ?? answered.schema),
      example: answered === undefined ? undefined : JSON.stringify(answered.example, null, 2),
    },
    errors: entries
      .filter(([code]) => !code.startsWith('2'))
      .map(([code, { description: meaning }]) => ({
        status: code === 'default' ? 'other' : code,
        description: meaning,
      })),
  };
}

function accessOf(security: Operation['security']): string {
  const isOpen = security.some((way) => Object.keys(way).length === 0);
  const token = security.find((way) => way['oauth2'] !== undefined)?.['oauth2'];
  const byClient = security.some((way) => way['clientBasic'] !== undefined);
  if (byClient) return isOpen ? 'A client, by HTTP Basic or in the body' : 'A client, by its id and secret';
  if (token === undefined) return 'Anybody';
  const [scope] = token;
  if (isOpen) return scope === undefined ? 'Anybody' : `Anybody; for the token’s own account ${scope}`;
  return scope === undefined ? 'Any valid access token' : `An access token with ${scope}`;
}
