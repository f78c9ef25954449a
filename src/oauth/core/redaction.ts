/** What stands in a text where something was left out because it could be a secret. */
const hidden = '[hidden]';

/** As much of an address as is kept; a registered one is never longer (contract §2). */
const longest = 2000;

/** Our codes, refresh tokens and client secrets, and JWTs, whole or cut. */
const tokens = /lk[a-z]_[A-Za-z0-9_-]*|eyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)*/g;
/** Where a parameter begins or a fragment does, also behind percent-encoding, once or more. */
const separators = /([?#&;]|%(?:25)*(?:3F|23|26|3B))/i;
const equalsSign = /=|%(?:25)*3D/i;
/** Too long for a word that somebody typed. */
const longRuns = /[A-Za-z0-9_~+-]{24,}/g;

/**
 * A redirect URI that was presented, as it may be kept. People pass by mistake the whole address that they were sent to, code and all, so
 * that nothing stays but what the registered address has, names of parameters, and short words of hosts and paths: values of other
 * parameters, user info, long runs of characters, anything that looks like a token, and whatever else the request held (`own`) are
 * hidden. What cannot be seen is written out: a blank as ␣, anything else that is not printable ASCII by its number.
 */
export function redactRedirectUri(sent: string, registered: string, own: readonly string[]): string {
  const cut = sent.slice(0, longest);
  const withoutOwn = own
    .flatMap((value) => [value, encodeLoosely(value)])
    .filter((value) => value.length > 3)
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, value) => text.replaceAll(value, hidden), cut);
  const withoutTokens = withoutOwn.replace(tokens, hidden).replace(/\/\/[^/?#]*@/g, `//${hidden}@`);
  const known = new Set(registered.split(separators));
  const [address = '', ...rest] = withoutTokens.split(separators);
  const parameters = rest.map((part, index) => {
    const isSeparator = index % 2 === 0;
    return isSeparator || known.has(part) ? part : redactParameter(part);
  });
  const redacted = [address, ...parameters]
    .join('')
    .replace(longRuns, (run) => (registered.includes(run) ? run : hidden));
  return `${makeVisible(redacted)}${sent.length > longest ? '…' : ''}`;
}

function redactParameter(part: string): string {
  if (part === '') return '';
  const sign = equalsSign.exec(part);
  const name = sign === null ? '' : part.slice(0, sign.index);
  const isName = /^[A-Za-z][A-Za-z_.-]{0,39}$/.test(name);
  return isName ? `${name}${sign?.[0] ?? ''}${hidden}` : hidden;
}

/** A value as it stands in a query; as it is where that cannot be written. */
function encodeLoosely(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A text whose every character can be seen: one that tells lies about itself, by direction or without width, cannot hide. */
function makeVisible(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) =>
    character === ' ' ? '␣' : `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}
