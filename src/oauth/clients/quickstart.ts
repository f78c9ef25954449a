import type { Client } from '../core/client.ts';
import type { Lifetimes } from '../core/grant.ts';
import { type GrantedScopes, mayUse, type Scope } from '../core/scope.ts';

type QuickstartClient = Pick<Client, 'id' | 'type' | 'redirectUris' | 'scopes'>;

interface QuickstartSettings {
  readonly lifetimes: Pick<Lifetimes, 'codeSeconds'>;
  readonly appUrl: string;
  readonly apiUrl: string;
}

export interface Step {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /** For bash or zsh: one compound command, so that `read` reads no line of the snippet. */
  readonly shell: string;
  /** A module, for Node or a browser. */
  readonly javaScript: string;
}

/** Snippets never contain the secret. */
const secretInShell = '$CLIENT_SECRET';
/** On the developer's server; our own environment is read in server.ts alone. */
const environment = 'env';
const secretInJavaScript = `process.${environment}.LATCHKEY_CLIENT_SECRET`;

/** Public clients must use PKCE, others should (RFC 9700 §2.1.1). */
export function describeQuickstart(client: QuickstartClient, settings: QuickstartSettings) {
  const { appUrl, apiUrl, lifetimes } = settings;
  const [redirectUri = ''] = client.redirectUris;
  const values = {
    ...{ appUrl, apiUrl, lifetimes, redirectUri, clientId: client.id, isPublic: client.type === 'public' },
    authorizationPage: `${appUrl}/auth/oauth2/authorize`,
    tokenEndpoint: `${apiUrl}/v2/auth/oauth2/token`,
    revocationEndpoint: `${apiUrl}/v2/auth/oauth2/revoke`,
  };
  const steps: readonly Step[] = [
    authorizeStep(values),
    exchangeStep(values),
    callStep(values, client.scopes),
    refreshStep(values),
    revokeStep(values),
  ];
  return {
    redirectUri,
    hasMore: client.redirectUris.length > 1,
    steps,
    endpoints: [
      ['Authorization', values.authorizationPage],
      ['Token', values.tokenEndpoint],
      ['Revocation', values.revocationEndpoint],
      ['Discovery', `${appUrl}/.well-known/oauth-authorization-server`],
      ['API documentation', `${appUrl}/docs`],
    ] as const,
  };
}

interface Values extends QuickstartSettings {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly isPublic: boolean;
  readonly authorizationPage: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string;
}

function authorizeStep({ appUrl, clientId, redirectUri, isPublic, authorizationPage: page }: Values): Step {
  const query = `client_id=${encodeURIComponent(clientId)}&redirect_uri=${encodeURIComponent(redirectUri)}`;
  return {
    name: 'authorize',
    title: 'Send the user to the authorization page',
    text: `${isPublic ? '' : 'The shell prompts for the client secret: paste it and press Enter. '}Generate a state and a code verifier for each user, and keep both until they return. Send the user to the printed URL. They return to your redirect URI with code, state and iss: check that state is yours and iss is ${appUrl}.`,
    shell: `{
${isPublic ? '' : 'read -rs CLIENT_SECRET\n'}STATE=$(openssl rand -hex 16)
CODE_VERIFIER=$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\\n')
CODE_CHALLENGE=$(printf %s "$CODE_VERIFIER" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=\\n')
printf '%s\\n' ${quoteForShell(`${page}?${query}`)}"&state=$STATE&code_challenge=$CODE_CHALLENGE&code_challenge_method=S256"
}`,
    javaScript: `const encode = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const state = encode(crypto.getRandomValues(new Uint8Array(16)));
const codeVerifier = encode(crypto.getRandomValues(new Uint8Array(32)));
const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));

const address = ${quoteForJavaScript(`${page}?`)} + new URLSearchParams({
  client_id: ${quoteForJavaScript(clientId)},
  redirect_uri: ${quoteForJavaScript(redirectUri)},
  state,
  code_challenge: encode(new Uint8Array(digest)),
  code_challenge_method: 'S256',
});
console.log(address);`,
  };
}

function exchangeStep(values: Values): Step {
  const { redirectUri, lifetimes } = values;
  return {
    name: 'exchange',
    title: 'Exchange the code for tokens',
    text: `The code is in the URL that the user returned to: paste it when the shell prompts for it. It works once, for ${lifetimes.codeSeconds} seconds. The response contains an access token, valid for 30 minutes, and a refresh token.`,
    shell: requestInShell(values, 'CODE', [
      quoteForShell('grant_type=authorization_code'),
      '"code=$CODE"',
      quoteForShell(`redirect_uri=${redirectUri}`),
      '"code_verifier=$CODE_VERIFIER"',
    ]),
    javaScript: requestInJavaScript(values, 'exchangeCode(code, codeVerifier)', [
      "grant_type: 'authorization_code'",
      'code',
      `redirect_uri: ${quoteForJavaScript(redirectUri)}`,
      'code_verifier: codeVerifier',
    ]),
  };
}

const calls = [
  ['PROFILE_READ', '/v2/me', 'fetchProfile'],
  ['BOOKING_READ', '/v2/bookings', 'listBookings'],
  ['EVENT_TYPE_READ', '/v2/event-types', 'listEventTypes'],
  ['SCHEDULE_READ', '/v2/schedules', 'listSchedules'],
] as const satisfies readonly (readonly [scope: Scope, path: string, name: string])[];

function callStep({ apiUrl }: Values, scopes: GrantedScopes): Step {
  const [, path, name] = calls.find(([scope]) => mayUse(scopes, scope)) ?? calls[0];
  return {
    name: 'call',
    title: 'Call the API',
    text: 'Paste the access_token from the response. Send it in a header, never in a URL.',
    shell: `read -r ACCESS_TOKEN &&
  curl ${quoteForShell(`${apiUrl}${path}`)} \\
    --header "Authorization: Bearer $ACCESS_TOKEN"`,
    javaScript: `async function ${name}(accessToken) {
  const answer = await fetch(${quoteForJavaScript(`${apiUrl}${path}`)}, {
    headers: { authorization: \`Bearer \${accessToken}\` },
  });
  const { data, error } = await answer.json();
  if (!answer.ok) throw new Error(error.message);
  return data;
}`,
  };
}

function refreshStep(values: Values): Step {
  return {
    name: 'refresh',
    title: 'Refresh the access token (expires after 30 minutes)',
    text: 'Paste the refresh_token from the response. Every response contains a new refresh token: store that one. If a response gets lost, send the same request again.',
    shell: requestInShell(values, 'REFRESH_TOKEN', [
      quoteForShell('grant_type=refresh_token'),
      '"refresh_token=$REFRESH_TOKEN"',
    ]),
    javaScript: requestInJavaScript(values, 'refreshTokens(refreshToken)', [
      "grant_type: 'refresh_token'",
      'refresh_token: refreshToken',
    ]),
  };
}

function revokeStep(values: Values): Step {
  return {
    name: 'revoke',
    title: 'Revoke access',
    text: 'When a user disconnects your app, revoke its access: all its tokens stop working. Paste the latest refresh_token.',
    shell: requestInShell(values, 'REFRESH_TOKEN', ['"token=$REFRESH_TOKEN"'], values.revocationEndpoint),
    javaScript: requestInJavaScript(
      values,
      'revoke(refreshToken)',
      ['token: refreshToken'],
      values.revocationEndpoint,
      '  if (!answer.ok) throw new Error((await answer.json()).error_description);',
    ),
  };
}

/** curl encodes what follows the first `=`. */
function requestInShell(
  values: Values,
  prompted: string,
  fields: readonly string[],
  endpoint = values.tokenEndpoint,
): string {
  const own = [quoteForShell(`client_id=${values.clientId}`)];
  if (!values.isPublic) own.push(`"client_secret=${secretInShell}"`);
  const lines = [...own, ...fields].map((field) => `    --data-urlencode ${field}`);
  return [`read -r ${prompted} &&\n  curl ${quoteForShell(endpoint)}`, ...lines].join(' \\\n');
}

const readTokens = `  const tokens = await answer.json();
  if (!answer.ok) throw new Error(tokens.error_description);
  return tokens;`;

function requestInJavaScript(
  values: Values,
  signature: string,
  fields: readonly string[],
  endpoint = values.tokenEndpoint,
  readAnswer = readTokens,
): string {
  const own = [`client_id: ${quoteForJavaScript(values.clientId)}`];
  if (!values.isPublic) own.push(`client_secret: ${secretInJavaScript}`);
  return `async function ${signature} {
  const answer = await fetch(${quoteForJavaScript(endpoint)}, {
    method: 'POST',
    body: new URLSearchParams({
${[...own, ...fields].map((field) => `      ${field},\n`).join('')}    }),
  });
${readAnswer}
}`;
}

export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Safe inside a page. */
export function quoteForJavaScript(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}
