import type { ClientType } from '../core/client.ts';

export interface QuickstartClient {
  readonly id: string;
  readonly type: ClientType;
  readonly redirectUris: readonly string[];
}

export interface Origins {
  readonly appUrl: string;
  readonly apiUrl: string;
}

/** One step on the way to a first call of the API, ready to be pasted. */
export interface Step {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /** For a POSIX shell with curl and openssl. */
  readonly shell: string;
  /** A module, for Node or a browser. */
  readonly javaScript: string;
}

export interface Quickstart {
  /** The one that the steps use: the first. */
  readonly redirectUri: string;
  readonly hasMore: boolean;
  readonly steps: readonly Step[];
}

/** Stand in the place of the secret: no page ever holds one in a snippet. */
const secretInShell = '$CLIENT_SECRET';
/** In the environment of the owner's server; ours is read elsewhere, and a test holds every file to that. */
const environment = 'env';
const secretInJavaScript = `process.${environment}.LATCHKEY_CLIENT_SECRET`;

/**
 * How to connect the first person, with a client's own values (contract §3 to §5). The steps build on each other: together they are one shell session,
 * or one module. PKCE goes with both types of client: one must use it, the other should (RFC 9700 §2.1.1).
 */
export function describeQuickstart(client: QuickstartClient, origins: Origins): Quickstart {
  const [redirectUri = ''] = client.redirectUris;
  const values = { ...origins, clientId: client.id, redirectUri, isPublic: client.type === 'public' };
  return {
    redirectUri,
    hasMore: client.redirectUris.length > 1,
    steps: [authorizeStep(values), exchangeStep(values), callStep(values), refreshStep(values)],
  };
}

interface Values extends Origins {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly isPublic: boolean;
}

function authorizeStep({ appUrl, clientId, redirectUri }: Values): Step {
  const page = `${appUrl}/auth/oauth2/authorize`;
  const query = `client_id=${encodeURIComponent(clientId)}&redirect_uri=${encodeURIComponent(redirectUri)}`;
  return {
    name: 'authorize',
    title: 'Send the person to the authorization page',
    text: 'Make a state and a code verifier for each person, and keep both until they come back. Then send them to the address that this prints. They come back to your redirect URI with code, state and iss; check that state is yours.',
    shell: `STATE=$(openssl rand -hex 16)
CODE_VERIFIER=$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\\n')
CODE_CHALLENGE=$(printf %s "$CODE_VERIFIER" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=\\n')
printf '%s\\n' ${quoteForShell(`${page}?${query}`)}"&state=$STATE&code_challenge=$CODE_CHALLENGE&code_challenge_method=S256"`,
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
  const { redirectUri } = values;
  return {
    name: 'exchange',
    title: 'Exchange the code for tokens',
    text: 'CODE is the code that came back. It is good for a short while, and once. The answer holds an access token, which lasts half an hour, and a refresh token.',
    shell: requestInShell(values, [
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

function callStep({ apiUrl }: Values): Step {
  return {
    name: 'call',
    title: 'Call the API',
    text: 'The access token goes into a header, never into an address.',
    shell: `curl ${quoteForShell(`${apiUrl}/v2/me`)} \\
  --header "Authorization: Bearer $ACCESS_TOKEN"`,
    javaScript: `async function fetchProfile(accessToken) {
  const answer = await fetch(${quoteForJavaScript(`${apiUrl}/v2/me`)}, {
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
    title: 'Refresh before the half hour is over',
    text: 'Each answer brings a new refresh token; keep that one. If an answer is lost, send the same request again.',
    shell: requestInShell(values, [
      quoteForShell('grant_type=refresh_token'),
      '"refresh_token=$REFRESH_TOKEN"',
    ]),
    javaScript: requestInJavaScript(values, 'refreshTokens(refreshToken)', [
      "grant_type: 'refresh_token'",
      'refresh_token: refreshToken',
    ]),
  };
}

/** A request to the token endpoint; curl encodes what stands behind the first `=`. */
function requestInShell(values: Values, fields: readonly string[]): string {
  const own = [quoteForShell(`client_id=${values.clientId}`)];
  if (!values.isPublic) own.push(`"client_secret=${secretInShell}"`);
  const lines = [...own, ...fields].map((field) => `  --data-urlencode ${field}`);
  return [`curl ${quoteForShell(tokenEndpoint(values))}`, ...lines].join(' \\\n');
}

function requestInJavaScript(values: Values, signature: string, fields: readonly string[]): string {
  const own = [`client_id: ${quoteForJavaScript(values.clientId)}`];
  if (!values.isPublic) own.push(`client_secret: ${secretInJavaScript}`);
  const lines = [...own, ...fields].map((field) => `      ${field},\n`).join('');
  return `async function ${signature} {
  const answer = await fetch(${quoteForJavaScript(tokenEndpoint(values))}, {
    method: 'POST',
    body: new URLSearchParams({
${lines}    }),
  });
  const tokens = await answer.json();
  if (!answer.ok) throw new Error(tokens.error_description);
  return tokens;
}`;
}

function tokenEndpoint({ apiUrl }: Values): string {
  return `${apiUrl}/v2/auth/oauth2/token`;
}

/** A text as one word of a POSIX shell, in which nothing has a meaning. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text as a JavaScript literal, also where the script stands inside a page. */
export function quoteForJavaScript(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}
