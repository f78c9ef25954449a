import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { RootSecret } from '../../io/root-secret.ts';
import { randomHex, type System } from '../../io/system.ts';

export interface KeptFormDeps {
  readonly system: System;
  readonly rootSecret: RootSecret;
  readonly appUrl: string;
}

const keptForm = z.object({
  /** Of one sending: of several with the same id only the first is sent without a question. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  path: z.string().regex(/^\/settings\/[\x21-\x7e]+$/),
  /** The page on which it was filled in. */
  from: z.string().regex(/^\/settings\/[\x21-\x7e]+$/),
  fields: z.array(z.tuple([z.string(), z.string()])).min(1),
  /** Some fields are never kept, and have to be typed again. */
  lacksSecrets: z.boolean(),
});

/** A form that was sent when it could not be taken, without its secrets; `path` is where it goes. */
export type KeptForm = Readonly<z.output<typeof keptForm>>;

const sealedForm = keptForm.extend({ expiresAt: z.number(), userId: z.number().optional() });

const purpose = 'kept-form';
export const lifetimeSeconds = 30 * 60;
const maxBytes = 32 * 1024;
const secretName = /pass|secret|token/i;
/** Ours in every form, nobody typed them. */
const ownNames = ['form_token', 'kept_id'];
const home = '/settings/profile';

/**
 * What may be kept of a form for our settings; undefined when there is nothing, or too much, or when it is not certain that one of our own
 * pages sent it: nobody else may put words into somebody's mouth. Decisions on authorization requests are no settings, and are made anew.
 */
export function keepForm(request: FastifyRequest, { system, appUrl }: KeptFormDeps): KeptForm | undefined {
  if (!isSurelyOurs(request, appUrl)) return undefined;
  const sent: unknown = request.body;
  if (!isUrlEncoded(request) || typeof sent !== 'object' || sent === null) return undefined;
  const entries = Object.entries(sent).filter(([name]) => !ownNames.includes(name));
  const fields = entries
    .filter(([name]) => !secretName.test(name))
    .flatMap(([name, value]) => pairsOf(name, value));
  const kept = keptForm.safeParse({
    id: keptIdOf(sent) ?? newKeptId(system),
    path: request.url,
    from: pageBefore(request, appUrl),
    fields,
    lacksSecrets: entries.some(([name]) => secretName.test(name)),
  });
  if (!kept.success || Buffer.byteLength(JSON.stringify(kept.data)) > maxBytes) return undefined;
  return kept.data;
}

/** A field that was sent several times is a list, and stays several. */
function pairsOf(name: string, value: unknown): [string, string][] {
  return [value].flat().flatMap((one): [string, string][] => (typeof one === 'string' ? [[name, one]] : []));
}

/** The id of one sending. */
export const newKeptId = (system: System): string => randomHex(system, 16);

/** The id that a kept form brings along when it is sent. */
export function keptIdOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('kept_id' in body)) return undefined;
  return keptForm.shape.id.safeParse(body.kept_id).data;
}

/** A browser says of each form where it comes from, in the one header or the other; silence is not enough here. */
function isSurelyOurs({ headers }: FastifyRequest, appUrl: string): boolean {
  return headers['sec-fetch-site'] === 'same-origin' || headers.origin === appUrl;
}

function isUrlEncoded({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
}

function pageBefore({ headers }: FastifyRequest, appUrl: string): string {
  if (headers.referer === undefined || !URL.canParse(headers.referer)) return home;
  const { origin, pathname } = new URL(headers.referer);
  return origin === appUrl && keptForm.shape.from.safeParse(pathname).success ? pathname : home;
}

/**
 * Nobody can read or change it on its way, and it is good for 30 minutes. With a user it is that user's; without, on the sign-in page, it is
 * nobody's yet.
 */
export function sealKeptForm(kept: KeptForm, { system, rootSecret }: KeptFormDeps, userId?: number): string {
  const expiresAt = system.now().getTime() + lifetimeSeconds * 1000;
  const plain = Buffer.from(JSON.stringify({ ...kept, expiresAt, userId }));
  return Buffer.from(rootSecret.seal(purpose, plain)).toString('base64url');
}

/** Undefined for what is none of ours, or is out of date, or somebody else's. */
export function openKeptForm(
  sealed: string | undefined,
  { system, rootSecret }: KeptFormDeps,
  userId?: number,
): KeptForm | undefined {
  const plain =
    sealed === undefined ? undefined : rootSecret.unseal(purpose, Buffer.from(sealed, 'base64url'));
  if (plain === undefined) return undefined;
  const opened = sealedForm.safeParse(JSON.parse(Buffer.from(plain).toString('utf8')));
  if (!opened.success || opened.data.userId !== userId) return undefined;
  return opened.data.expiresAt > system.now().getTime() ? opened.data : undefined;
}
