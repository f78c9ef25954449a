import { addToRedirectUri, type RegisteredRedirectUri } from '../core/redirect-uri.ts';
import type { ResponseMode } from '../core/response-mode.ts';

/** Where an app waits for its answer. */
export interface Destination {
  readonly redirectUri: RegisteredRedirectUri;
  readonly mode: ResponseMode;
  readonly state: string | undefined;
  readonly issuer: string;
}

/** A page posts these fields to the app (OAuth 2.0 Form Post Response Mode, section 2). */
export interface FormPost {
  readonly action: RegisteredRedirectUri;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** `form-action` of the page's Content-Security-Policy. */
  readonly targets: readonly string[];
}

/** Answers an app in the mode that it asked for: by a redirect, or by a form that a page posts. */
export function answerApp(
  { redirectUri, mode, state, issuer }: Destination,
  answer: Readonly<Record<string, string>>,
): { readonly location: string } | FormPost {
  // protects: C15
  const parameters = { ...answer, state, iss: issuer }; // protects: C34
  if (mode !== 'form_post')
    return { location: addToRedirectUri(redirectUri, parameters, mode === 'fragment') };
  const fields = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  return { action: redirectUri, fields, targets: formTargetsOf(redirectUri) };
}

/** The client may redirect to https. CSP can't name `[::1]`, so `http:` stands for it. */
export function formTargetsOf(redirectUri: RegisteredRedirectUri): readonly string[] {
  const { protocol, hostname, host } = new URL(redirectUri);
  if (protocol === 'https:') return ['https:'];
  if (protocol !== 'http:') return [protocol, 'https:'];
  return hostname === '[::1]' ? ['http:', 'https:'] : [`http://${host}`, `http://${hostname}:*`, 'https:'];
}

const script = 'document.forms[0].submit()';
const scriptHash = 'ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE=';

const escaped = (text: string): string =>
  text.replace(/["&'<>]/g, (character) => `&#${character.charCodeAt(0)};`); // protects: C427

/** Without a script, the person sends the form. */
export function formPage({ action, fields, targets }: FormPost): Response {
  const inputs = fields.map(
    ({ name, value }) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  );
  const form = `<form method="post" action="${escaped(action)}">${inputs.join('')}<button>Continue</button></form>`;
  const page = `<!doctype html><meta charset="utf-8"><title>Continue</title>${form}<script>${script}</script>`;
  const policy = `default-src 'none'; script-src 'sha256-${scriptHash}'; form-action ${targets.join(' ')}; base-uri 'none'; frame-ancestors 'none'`;
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy,
      // With a stricter one, the app would be told an Origin of null.
      'referrer-policy': 'strict-origin',
    },
  });
}
