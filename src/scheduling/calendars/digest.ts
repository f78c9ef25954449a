import { hash, randomBytes } from 'node:crypto';

/** The strongest first (RFC 7616 §3.7); MD5 is what a challenge without an algorithm means. */
const algorithms = { 'SHA-512-256': 'sha512-256', 'SHA-256': 'sha256', MD5: 'md5' } as const;

export type Digest = (method: string, address: string, cnonce?: string) => string;

/**
 * Answers the strongest challenge of a WWW-Authenticate header; undefined if it has none, or asks
 * for Basic.
 */
export function createDigest(
  offered: string,
  { username, password }: { readonly username: string; readonly password: string },
): Digest | undefined {
  const all = challengesIn(offered);
  if (all.some(({ scheme }) => scheme === 'basic')) return undefined;
  const challenges = all
    .filter(({ scheme }) => scheme === 'digest')
    .map(({ fields }) => fields)
    .filter(({ qop = 'auth' }) => /(?:^|[\s,])auth(?:$|[\s,])/i.test(qop));
  for (const [name, algorithm] of Object.entries(algorithms)) {
    const found = challenges.find(
      ({ algorithm: asked = 'MD5' }) => asked.replace(/-sess$/i, '').toUpperCase() === name,
    );
    if (found === undefined) continue;
    const { realm = '', nonce = '', opaque, qop, algorithm: written } = found;
    const digest = (...parts: readonly string[]): string => hash(algorithm, parts.join(':'));
    const isSession = /-sess$/i.test(written ?? '');
    let count = 0;
    return (method, address, cnonce = randomBytes(16).toString('base64url')) => {
      count += 1;
      const { pathname, search } = new URL(address);
      const [uri, nc] = [`${pathname}${search}`, count.toString(16).padStart(8, '0')];
      const secret = digest(username, realm, password);
      const key = isSession ? digest(secret, nonce, cnonce) : secret;
      const use = qop === undefined ? [] : [nc, cnonce, 'auth'];
      const response = digest(key, nonce, ...use, digest(method, uri));
      const fields = [
        nameField(username),
        ...Object.entries({ realm, nonce, uri, response, opaque }).map(quoted),
        ...(written === undefined ? [] : [`algorithm=${written}`]),
        ...(qop === undefined ? [] : ['qop=auth', `nc=${nc}`, quoted(['cnonce', cnonce])]),
      ];
      return `Digest ${fields.filter(Boolean).join(', ')}`;
    };
  }
  return undefined;
}

function quoted([name, value]: readonly [string, string | undefined]): string {
  return value === undefined ? '' : `${name}="${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Other letters are written as RFC 8187 says. */
function nameField(username: string): string {
  return /^[ -~]*$/.test(username)
    ? quoted(['username', username])
    : `username*=UTF-8''${encodeURIComponent(username).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)}`;
}

/** A word without a value begins another challenge (RFC 9110 §11.6.1). */
function challengesIn(offered: string) {
  const challenges: { readonly scheme: string; readonly fields: Record<string, string> }[] = [];
  for (const [, name = '', text, token] of offered.matchAll(
    /([\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/g,
  )) {
    const value = text?.replaceAll(/\\(.)/g, '$1') ?? token;
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), fields: {} });
    else Object.assign(challenges.at(-1)?.fields ?? {}, { [name.toLowerCase()]: value });
  }
  return challenges;
}
