/** In what alone two redirect URIs differ; the first that fits. */
export type RedirectUriDifference =
  | 'blanks'
  | 'answer_added'
  | 'case'
  | 'trailing_slash'
  | 'percent_encoding'
  | 'scheme'
  | 'port'
  | 'host'
  | 'path'
  | 'query'
  | 'fragment'
  | 'several';

interface Parts {
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** How the presented redirect URI differs from the one of the authorization request, when they do not equal as strings (contract §4). */
export function differenceOfRedirectUris(sent: string, asked: string): RedirectUriDifference {
  if (sent.trim() === asked) return 'blanks';
  if (hasAnswer(sent, asked)) return 'answer_added';
  if (sent.toLowerCase() === asked.toLowerCase()) return 'case';
  if (withoutSlash(sent) === withoutSlash(asked)) return 'trailing_slash';
  if (decoded(sent) === decoded(asked)) return 'percent_encoding';
  const [left, right] = [partsOf(sent), partsOf(asked)];
  const [first, ...others] = (['scheme', 'host', 'port', 'path', 'query', 'fragment'] as const).filter(
    (name) => left[name] !== right[name],
  );
  return first !== undefined && others.length === 0 ? first : 'several';
}

/** Whether it is the address that the person came back to, with the answer's parameters in it. */
function hasAnswer(sent: string, asked: string): boolean {
  return sent.startsWith(asked) && /[?&#](?:code|state|iss|error)=/.test(sent.slice(asked.length));
}

function withoutSlash(uri: string): string {
  return uri.replace(/\/(?=[?#]|$)/, '');
}

/** With every percent-encoding undone, once or more; what cannot be decoded stays as it is. */
function decoded(uri: string): string {
  try {
    const once = decodeURIComponent(uri);
    return once === uri ? uri : decoded(once);
  } catch {
    return uri;
  }
}

/** RFC 3986 appendix B, the port apart. */
function partsOf(uri: string): Parts {
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] =
    /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(uri) ?? [];
  const [, host = '', port = ''] = /^(.*?)(?::([0-9]*))?$/s.exec(authority) ?? [];
  return { scheme, host, port, path, query, fragment };
}
