import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Secrets } from '../../platform/secrets.ts';

/**
 * A form that came without a session, or with one that wasn't enough. The pages that ask who it is
 * carry it, sealed, and then send it where it was going (security C321).
 */
export interface KeptForm {
  /** The path that the form goes to. */
  readonly address: string;
  readonly sealed: string;
  /** Fields that came with it; none of them is its own. */
  readonly sent: readonly string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    keptForm: KeptForm | undefined;
  }
}

const fieldName = 'kept_form';
const purpose = 'kept-form';
/** The pages' own fields fit into 64 KB beside it. */
const maxSealed = 60_000;
const maxBytes = 1024 * 1024;
const keptMs = 24 * 3600 * 1000;
/** No page holds a password, not even sealed. */
const isSecret = /password|credential|secret/i;

const content = z.object({
  address: z.string(),
  fields: z.record(z.string(), z.unknown()),
  keptAt: z.number(),
});

type Fields = Readonly<Record<string, unknown>>;

/** The token's first part is the session's, and its second one the mark. */
function tokenIn({ form_token: token }: Fields): readonly [ofSession: string, mark: string] {
  const [ofSession = '', mark = '', ...more] = typeof token === 'string' ? token.split('.') : [];
  return more.length === 0 ? [ofSession, mark] : ['', ''];
}

function isFormOf(fields: Fields, secrets: Secrets, userId: number): boolean {
  return secrets.isSigned('form-owner', String(userId), tokenIn(fields)[1]);
}

/** No other site can send a form without this. Its mark outlasts the session. */
export const formTokenOf = (secrets: Secrets, idHash: string, userId: number): string =>
  `${secrets.sign('form', idHash)}.${secrets.sign('form-owner', String(userId))}`;

export function hasFormToken(body: unknown, secrets: Secrets, idHash: string, userId: number): boolean {
  const fields = fieldsOf(body);
  // protects: C480
  return secrets.isSigned('form', idHash, tokenIn(fields)[0]) && isFormOf(fields, secrets, userId);
}

const fieldsOf = (body: unknown): Fields => (typeof body === 'object' && body !== null ? { ...body } : {});

/** Files are asked for again, and so is what isn't a form of ours. */
export function mayBeKept({ body, headers }: FastifyRequest): boolean {
  const isPlain = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  return isPlain && tokenIn(fieldsOf(body))[1] !== '';
}

/** Returns undefined for a form that is too large to be carried. */
export function keepForm(
  { body, server }: Pick<FastifyRequest, 'body' | 'server'>,
  address: string,
): KeptForm | undefined {
  const { runtime, secrets } = server;
  const fields = Object.fromEntries(Object.entries(fieldsOf(body)).filter(([name]) => !isSecret.test(name)));
  const text = JSON.stringify({ address, fields, keptAt: runtime.now().getTime() });
  const sealed = Buffer.from(secrets.encrypt(purpose, deflateRawSync(text))).toString('base64url');
  return sealed.length > maxSealed ? undefined : { address, sealed, sent: [] };
}

/** Returns the form that this one carries. */
export function readKeptForm(request: FastifyRequest): KeptForm | undefined {
  const sent = fieldsOf(request.body);
  const sealed = sent[fieldName];
  if (typeof sealed !== 'string') return undefined;
  const found = open(sealed, request);
  return found && { address: found.address, sealed, sent: Object.keys(sent) };
}

/** Returns its fields, for whom it was typed by. */
export function openFor(request: FastifyRequest, { sealed }: KeptForm, userId: number): Fields | undefined {
  const found = open(sealed, request);
  return found === undefined || !isFormOf(found.fields, request.server.secrets, userId) // protects: C321
    ? undefined
    : found.fields;
}

function open(sealed: string, { server: { runtime, secrets } }: FastifyRequest) {
  const bytes = secrets.decrypt(purpose, Buffer.from(sealed, 'base64url'));
  if (bytes === undefined) return undefined;
  const text = inflateRawSync(bytes, { maxOutputLength: maxBytes }).toString();
  const { keptAt, ...found } = content.parse(JSON.parse(text));
  return keptAt + keptMs > runtime.now().getTime() ? found : undefined; // protects: C321
}
