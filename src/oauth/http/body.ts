import { ok, type Result, refuse } from '../../result.ts';
import type { TokenRefusalReason } from '../core/refusal.ts';

export const maxBodyBytes = 64 * 1024;

/**
 * Both types are read, but the document lists only this: generators write everything twice for two.
 */
export const formType = 'application/x-www-form-urlencoded';

/** An empty field counts as absent (RFC 6749 §3.2). */
export type Fields = Readonly<Record<string, string | undefined>>;

const knownFields: ReadonlySet<string> = new Set([
  'client_id',
  'client_secret',
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'resource',
  'token',
  'token_type_hint',
]);

/** Decoding 8,000 fields would keep all requests waiting (security C223). */
const maxFields = 1000;

const nul = String.fromCharCode(0);

export function isUtf8(contentType: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType)?.[1] ?? 'utf-8';
  return /^(utf-?8|us-ascii)$/i.test(charset);
}

/** Java names ISO-8859-1, although a form has no charset: ASCII is the same in all but UTF-16. */
const isAscii = (text: string): boolean => !/[^\p{ASCII}]/u.test(text) && !text.includes(nul);

/**
 * RFC 6749 appendix B. A repeated field is refused, because two readers could take different
 * values. Only `resource` may have several (RFC 8707 §2), which spaces separate from here on.
 */
function readFormFields(text: string, contentType: string): Result<Fields, TokenRefusalReason> {
  if (!isUtf8(contentType) && !isAscii(text)) return refuse('unsupported_content_type'); // protects: C22
  if (text.split('&', maxFields + 1).length > maxFields) return refuse('unreadable_body');
  // curl sends JSON with this type unless told otherwise.
  return /^(?:\{|%7B)/i.test(text) ? refuse('unsupported_content_type') : toFields(parseForm(text));
}

function parseForm(text: string): Readonly<Record<string, string | readonly string[]>> {
  const values: Record<string, string | string[]> = Object.create(null);
  new URLSearchParams(text).forEach((value, name) => {
    const former = values[name];
    if (typeof former === 'object') former.push(value);
    else values[name] = former === undefined ? value : [former, value];
  });
  return values;
}

function readJsonFields(text: string): Result<Fields, TokenRefusalReason> {
  const members = parseJsonObject(text.replace(/^\uFEFF/, ''));
  if (members === undefined) return refuse('unreadable_body');
  if (Object.keys(members).length > maxFields) return refuse('unreadable_body');
  const texts: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(members)) {
    if (name.includes(nul) || (typeof value === 'string' && value.includes(nul)))
      return refuse('field_with_nul');
    if (value === null || !knownFields.has(name)) continue;
    const values: unknown[] = name === 'resource' ? [value].flat() : [value];
    if (!values.every((text) => typeof text === 'string')) return refuse('field_not_a_string', name);
    texts[name] = values.length === 1 ? values.join() : values;
  }
  return toFields(texts);
}

function toFields(
  sent: Readonly<Record<string, string | readonly string[]>>,
): Result<Fields, TokenRefusalReason> {
  const fields: Record<string, string> = {};
  for (const name in sent) {
    const values = sent[name] ?? '';
    const value = name === 'resource' && typeof values !== 'string' ? values.join(' ') : values;
    if (typeof value !== 'string') return refuse('repeated_field'); // protects: C21
    if (name.includes(nul) || value.includes(nul)) return refuse('field_with_nul'); // protects: C35
    if (value !== '') fields[name] = value;
  }
  return ok(fields);
}

export function parseJsonObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const readersByType: ReadonlyMap<string, typeof readFormFields> = new Map([
  ['application/json', readJsonFields],
  [formType, readFormFields],
]);
