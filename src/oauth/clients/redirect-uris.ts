import type { ClientType } from '../core/client.ts';
import { checkRedirectUri, type RedirectUriFault, redirectUriMaxLength } from '../core/redirect-uri.ts';

/** So many addresses a client may have (contract §2). */
export const maxRedirectUris = 10;
/** Longer ones are shown by their two ends. */
const shownLength = 60;
const shownEndLength = 12;

const words = {
  empty: () => 'is empty.',
  too_long: () => `is longer than ${redirectUriMaxLength} characters.`,
  not_printable_ascii: () => 'has blanks or characters that an address must write percent-encoded.',
  not_absolute: () => 'is not a whole address such as https://app.example/callback.',
  fragment: () => 'must not have a part behind #.',
  wildcard: () => 'must not have a *: addresses match character for character. Write each one.',
  user_info: () => 'must not have a user name or password.',
  scheme_not_allowed: (_detail, type) =>
    type === 'public'
      ? 'must begin with https://, or be a private-use scheme such as com.example.app:/callback.'
      : 'must begin with https://.',
  http_not_loopback: () => 'may use http only on localhost, 127.0.0.1 or [::1]. Use https.',
  private_scheme_of_confidential_client: () => 'may use a private-use scheme only for a public client.',
  not_canonical: (detail) => `is written ${detail} by a browser. Write it so.`,
  answer_parameter: (detail) => `must not have a parameter ${detail}, because the answer brings its own.`,
} as const satisfies Record<RedirectUriFault, (detail: string, type: ClientType) => string>;

export interface ReadRedirectUris {
  /** Without blank lines and repetitions. */
  readonly uris: readonly string[];
  /** A sentence each, in the order of the lines; none when all may be registered. */
  readonly faults: readonly string[];
}

/** The addresses in a text, one a line, for a client of this type; each faulty one is named by its line and by itself (contract §2). */
export function readRedirectUris(text: string, type: ClientType): ReadRedirectUris {
  const lines = text.split(/\r\n|\r|\n/).map((line, index) => ({ uri: line.trim(), number: index + 1 }));
  const filled = lines.filter(({ uri }) => uri !== '');
  const uris = [...new Set(filled.map(({ uri }) => uri))];
  if (uris.length === 0) return { uris, faults: ['Name at least one address.'] };
  if (uris.length > maxRedirectUris) {
    return { uris, faults: [`Name ${maxRedirectUris} addresses at most; these are ${uris.length}.`] };
  }
  const faults = filled.flatMap(({ uri, number }) => {
    const checked = checkRedirectUri(uri, type);
    if (checked.ok) return [];
    return [`Line ${number}: ${shorten(uri)} ${words[checked.reason](shorten(checked.detail ?? ''), type)}`];
  });
  return { uris, faults };
}

/** As much of an address as tells it from its neighbours; what cannot be seen is marked. */
function shorten(uri: string): string {
  const visible = uri.replaceAll(/\p{C}/gu, '\uFFFD');
  const characters = [...visible];
  if (characters.length <= shownLength) return visible;
  const start = characters.slice(0, shownLength - shownEndLength - 1).join('');
  return `${start}…${characters.slice(-shownEndLength).join('')}`;
}
