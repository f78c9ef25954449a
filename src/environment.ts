import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Container platforms mount secrets as files, which SECRET_FILE and others name. */
const secretNames = ['SECRET', 'DATABASE_URL', 'SMTP_URL', 'ADMIN_PASSWORD'] as const;

export const unexpanded = /^(~|\$[A-Za-z_{])/;

export function readVariables(variables: Variables): {
  readonly set: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
} {
  const isGiven = ([, value]: readonly [string, string | undefined]): boolean => (value ?? '').trim() !== '';
  const set: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(variables).filter(isGiven)) set[name] = value;
  // A secret that wasn't mounted would quietly make another service of this one.
  const empty = [...secretNames, ...secretNames.map((name) => `${name}_FILE`)]
    .filter((name) => variables[name] !== undefined && set[name] === undefined)
    .map((name) => `${name} is set, but empty`);
  const faults = secretNames.flatMap((name) => {
    const path = set[`${name}_FILE`];
    if (path === undefined) return [];
    if (set[name] !== undefined) return [`${name}_FILE can't be used together with ${name}`];
    try {
      const content = readFileSync(path, 'utf8').trim();
      if (content === '') return [`${name}_FILE names an empty file`];
      set[name] = content;
      return [];
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      const cause = unexpanded.test(path) ? ': only a shell expands ~ and $' : '';
      return [`${name}_FILE names a file that can't be read${code}${cause}`];
    }
  });
  return { set, faults: [...empty, ...faults] };
}

/** People guess settings with these prefixes, such as `SMTP_HOST`. */
const ownPrefix = /^(ADMIN|DATABASE|LATCHKEY|SMTP)_/;

/** Kubernetes and Docker describe services so; platforms add further addresses of a database. */
const injectedName = /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)|^DATABASE_\w+_URL$/;
const injectedValue = /^(tcp|udp|sctp):\/\//;

export function strayVariables(variables: Variables, settings: readonly string[]): string[] {
  const known = new Set([...settings, ...secretNames.map((name) => `${name}_FILE`)]);
  return Object.entries(variables).flatMap(([name, value = '']) => {
    if (known.has(name) || injectedName.test(name) || injectedValue.test(value)) return [];
    const meant = [...known].find((setting) => isMistyped(name, setting));
    if (meant !== undefined) return [`${name} isn't a setting; did you mean ${meant}?`];
    return ownPrefix.test(name) ? [`${name} isn't a setting`] : [];
  });
}

/** Short names have innocent neighbors: HOME, POST. Words may be inflected: `TRUST_PROXY`. */
function isMistyped(name: string, setting: string): boolean {
  const edits = setting.length > 12 ? 3 : setting.length > 8 ? 2 : 1;
  if (setting.length >= 6 && isWithinEdits(edits, name.toUpperCase(), setting)) return true;
  const words = setting.split('_').map((word) => (word.length < 5 ? word : `${word.slice(0, 4)}[A-Z]*`));
  return words.length > 1 && new RegExp(`^${words.join('_?')}$`, 'i').test(name);
}

/** Placeholders, words over and over with a few digits, files of settings, and UTF-16 are none. */
const weak = [/^(.+?)\1+\d*$/su, /change.?(me|this)/i, /^<.*>$/s, /^\w+=.*\n\s*\w+=/s, /\0/];

export function isWeak(secret: string): boolean {
  return new Set(secret).size < 6 || weak.some((pattern) => pattern.test(secret));
}

export function databaseHostsOf(address: string): readonly string[] {
  const [, start = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(address) ?? [];
  // A missing host is the driver's default.
  const all = hosts === '' ? [''] : hosts.split(',');
  if (all.length > 1 && all.includes('')) return [];
  // A sign of a password that isn't encoded, part of which would be taken for a host.
  if (/[@#]/.test(rest)) return [];
  return start !== '' && isDecodable(start) && all.every((host) => URL.canParse(start + host + rest))
    ? all
    : [];
}

function isDecodable(text: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(text);
}

export function isHostName(host: string): boolean {
  return isIP(host.replace(/:\d+$/, '')) === 0 && !host.startsWith('[');
}

/** One edit adds, drops or replaces a character, or swaps two. */
function isWithinEdits(edits: number, a: string, b: string): boolean {
  if (a === b) return true;
  if (edits === 0) return false;
  if (a.charAt(0) === b.charAt(0)) return isWithinEdits(edits, a.slice(1), b.slice(1));
  return (
    isWithinEdits(edits - 1, a.slice(1), b.slice(1)) ||
    isWithinEdits(edits - 1, a.slice(1), b) ||
    isWithinEdits(edits - 1, a, b.slice(1)) ||
    (a.charAt(0) === b.charAt(1) &&
      a.charAt(1) === b.charAt(0) &&
      isWithinEdits(edits - 1, a.slice(2), b.slice(2)))
  );
}
