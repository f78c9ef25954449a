import type { FastifyRequest } from 'fastify';

export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly servers: readonly [{ readonly url: string }];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly [string];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { required?: boolean; readonly content: Content };
  readonly responses: Record<string, Response>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  example?: unknown;
  examples?: { readonly sent: { readonly value: unknown; readonly 'x-disabled': true } };
  schema: Schema;
}

interface Response {
  readonly description: string;
  readonly content?: Content;
  headers?: Record<string, unknown>;
}

type Content = Readonly<Record<string, { schema: Schema; example?: unknown }>>;

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  description?: string;
  readonly enum?: readonly unknown[];
  readonly deprecated?: boolean;
  readonly const?: unknown;
  readonly default?: unknown;
  examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  /** The reader sends such a parameter, though it's optional; the document has no mark of this. */
  readonly 'x-sent'?: true;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** Only named schemas can be told apart by a property. */
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
}

const schemaPrefix = '#/components/schemas/';

export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.startsWith(schemaPrefix) ? $ref.slice(schemaPrefix.length) : undefined;
}

export function refTo(name: string): string {
  return `${schemaPrefix}${name}`;
}

export function resolveSchema(schema: Schema, document: ApiDocument): Schema {
  const name = nameOf(schema);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

declare module '../../platform/parts.ts' {
  interface Part {
    /** The document and its reader have it. */
    readonly api?: ApiOfPart;
  }
}

interface ApiOfPart {
  /** Each enumeration becomes a type. */
  readonly enumerations?: Enumerations;
  /** Operations know callers by these, too. */
  readonly securitySchemes?: Readonly<Record<string, CallerHeader>>;
  /** Replaces words in samples and examples for the signed-in reader of /docs. */
  readonly guideValues?: (request: FastifyRequest) => Promise<Readonly<Record<string, string>>>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    family?: ApiFamily;
  }
}

/** The document lists the operations of a family together (contract §7). */
export interface ApiFamily {
  readonly name: string;
  /** Readers need lower places first. */
  readonly place: number;
  readonly words: string;
  readonly version?: string;
}

export type Enumerations = Readonly<Record<string, readonly (string | number)[]>>;

export interface CallerHeader {
  readonly type: 'apiKey';
  readonly in: 'header';
  readonly name: string;
  readonly description: string;
}
