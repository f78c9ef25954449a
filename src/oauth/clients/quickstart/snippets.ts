export const languages = ['shell', 'javascript', 'python'] as const;
export type Language = (typeof languages)[number];

export const stepNames = ['authorize', 'exchange', 'call', 'refresh', 'revoke'] as const;
export type StepName = (typeof stepNames)[number];
/** Each step has a snippet. Shell snippets are pasted one by one; the others go into one file. */
type Snippets = Readonly<Record<StepName, string>>;

/** Snippets never contain the secret: the shell prompts for it, and programs read this variable. */
const secretVariable = 'LATCHKEY_CLIENT_SECRET';
export const readSecret = `printf 'Client secret: '; read -rs ${secretVariable}; export ${secretVariable}; echo`;

export interface Values {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly isPublic: boolean;
  readonly resource: string;
  readonly authorizationPage: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string;
}

export const writeSnippets = {
  shell: inShell,
  javascript: inJavaScript,
  python: inPython,
} as const satisfies Record<Language, (values: Values) => Snippets>;

/** Steps that prompt are one compound command: `read` reads none of its lines (bash, zsh). */
function inShell(values: Values): Snippets {
  const { isPublic, authorizationPage, tokenEndpoint, revocationEndpoint } = values;
  const query = new URLSearchParams({ client_id: values.clientId, redirect_uri: values.redirectUri });
  const status = `--write-out '\\nHTTP %{http_code}\\n'`;
  // curl encodes what follows the first `=`.
  const post = (endpoint: string, fields: readonly string[]): string =>
    [
      `curl --silent --show-error ${quoteForShell(endpoint)}`,
      `  ${status}`,
      ...['client_id=$CLIENT_ID', ...(isPublic ? [] : [`client_secret=$${secretVariable}`]), ...fields].map(
        (field) => `  --data-urlencode "${field}"`,
      ),
    ].join(' \\\n');
  const pick = (name: string): string =>
    `$(printf '%s' "$RESPONSE" | sed -n 's/.*"${name}":"\\([^"]*\\)".*/\\1/p')`;
  const requestTokens = (fields: readonly string[]): string => `RESPONSE=$(${post(tokenEndpoint, fields)})
printf '%s\\n' "$RESPONSE"
case "$RESPONSE" in *'HTTP 200')
  ACCESS_TOKEN=${pick('access_token')}
  REFRESH_TOKEN=${pick('refresh_token')};;
esac`;
  return {
    authorize: `{
${isPublic ? '' : `${readSecret}\n`}CLIENT_ID=${quoteForShell(values.clientId)}
REDIRECT_URI=${quoteForShell(values.redirectUri)}
STATE=$(openssl rand -hex 16)
CODE_VERIFIER=$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\\n')
CODE_CHALLENGE=$(printf %s "$CODE_VERIFIER" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=\\n')
printf '\\n%s\\n' ${quoteForShell(`${authorizationPage}?${query}`)}"&state=$STATE&code_challenge=$CODE_CHALLENGE&code_challenge_method=S256"
}`,
    exchange: `{
printf 'Address: '; read -r ADDRESS
CODE="\${ADDRESS##*[?&]code=}"
if [ "$CODE" = "$ADDRESS" ]; then
  echo 'The address has no code.'
  printf '%s\\n' "$ADDRESS" | tr '?&' '\\n\\n' | sed -n '/^error/p'
else
CODE="\${CODE%%&*}"
${requestTokens([
  'grant_type=authorization_code',
  'code=$CODE',
  'redirect_uri=$REDIRECT_URI',
  'code_verifier=$CODE_VERIFIER',
])}
fi
}`,
    call: `curl --silent --show-error ${quoteForShell(values.resource)} \\
  ${status} \\
  --header "Authorization: Bearer $ACCESS_TOKEN"`,
    refresh: `{
${requestTokens(['grant_type=refresh_token', 'refresh_token=$REFRESH_TOKEN'])}
}`,
    revoke: post(revocationEndpoint, ['token=$REFRESH_TOKEN']),
  };
}

/** Only server.ts reads our own environment; this is the developer's. */
const environment = 'env';

function inJavaScript(values: Values): Snippets {
  const secret = values.isPublic ? '' : '\n    client_secret: clientSecret,';
  const post = (endpoint: string, fields: readonly string[]): string =>
    `await send(${quoteForCode(endpoint)}, {
  method: 'POST',
  body: new URLSearchParams({
    client_id: clientId,${secret}
${fields.map((field) => `    ${field},\n`).join('')}  }),
})`;
  return {
    authorize: `const { createInterface } = await import('node:readline/promises');
const clientId = ${quoteForCode(values.clientId)};
${values.isPublic ? '' : `const clientSecret = process.${environment}.${secretVariable};\n`}const redirectUri = ${quoteForCode(values.redirectUri)};
const encode = (bytes) => Buffer.from(bytes).toString('base64url');
const state = encode(crypto.getRandomValues(new Uint8Array(16)));
const codeVerifier = encode(crypto.getRandomValues(new Uint8Array(32)));
const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));

console.log(${quoteForCode(`${values.authorizationPage}?`)} + new URLSearchParams({
  client_id: clientId,
  redirect_uri: redirectUri,
  state,
  code_challenge: encode(digest),
  code_challenge_method: 'S256',
}));`,
    exchange: `async function send(address, options) {
  const response = await fetch(address, options);
  const body = await response.text();
  console.log(body + '\\nHTTP ' + response.status);
  if (!response.ok) process.exit(1);
  return body === '' ? undefined : JSON.parse(body);
}

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const returned = new URL(await terminal.question('Address: ')).searchParams;
terminal.close();
if (!returned.has('code')) {
  console.log('The address has no code.', returned.get('error') ?? '', returned.get('error_description') ?? '');
  process.exit(1);
}
if (returned.get('state') !== state) throw new Error('state differs');

let tokens = ${post(values.tokenEndpoint, [
      "grant_type: 'authorization_code'",
      "code: returned.get('code')",
      'redirect_uri: redirectUri',
      'code_verifier: codeVerifier',
    ])};`,
    call: `await send(${quoteForCode(values.resource)}, {
  headers: { authorization: 'Bearer ' + tokens.access_token },
});`,
    refresh: `tokens = ${post(values.tokenEndpoint, ["grant_type: 'refresh_token'", 'refresh_token: tokens.refresh_token'])};`,
    revoke: `${post(values.revocationEndpoint, ['token: tokens.refresh_token'])};`,
  };
}

function inPython(values: Values): Snippets {
  const secret = values.isPublic ? '' : "\n    'client_secret': client_secret,";
  const post = (endpoint: string, fields: readonly string[]): string =>
    `send(${quoteForCode(endpoint)}, {
    'client_id': client_id,${secret}
${fields.map((field) => `    ${field},\n`).join('')}})`;
  return {
    authorize: `import base64, hashlib, json, os, secrets, urllib.error
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import Request, urlopen

client_id = ${quoteForCode(values.clientId)}
${values.isPublic ? '' : `client_secret = os.environ['${secretVariable}']\n`}redirect_uri = ${quoteForCode(values.redirectUri)}
state = secrets.token_urlsafe(16)
code_verifier = secrets.token_urlsafe(32)
digest = hashlib.sha256(code_verifier.encode()).digest()

print(${quoteForCode(`${values.authorizationPage}?`)} + urlencode({
    'client_id': client_id,
    'redirect_uri': redirect_uri,
    'state': state,
    'code_challenge': base64.urlsafe_b64encode(digest).decode().rstrip('='),
    'code_challenge_method': 'S256',
}), flush=True)`,
    exchange: `def send(address, fields=None, headers={}):
    data = urlencode(fields).encode() if fields else None
    try:
        response = urlopen(Request(address, data, headers))
    except urllib.error.HTTPError as error:
        response = error
    body = response.read().decode()
    print(body + '\\nHTTP', response.status)
    if response.status != 200:
        raise SystemExit(1)
    return json.loads(body) if body else None

returned = dict(parse_qsl(urlsplit(input('Address: ')).query))
if 'code' not in returned:
    print('The address has no code.', returned.get('error', ''), returned.get('error_description', ''))
    raise SystemExit(1)
if returned.get('state') != state:
    raise SystemExit('state differs')

tokens = ${post(values.tokenEndpoint, [
      "'grant_type': 'authorization_code'",
      "'code': returned['code']",
      "'redirect_uri': redirect_uri",
      "'code_verifier': code_verifier",
    ])}`,
    call: `send(${quoteForCode(values.resource)}, headers={
    'Authorization': 'Bearer ' + tokens['access_token'],
})`,
    refresh: `tokens = ${post(values.tokenEndpoint, ["'grant_type': 'refresh_token'", "'refresh_token': tokens['refresh_token']"])}`,
    revoke: post(values.revocationEndpoint, ["'token': tokens['refresh_token']"]),
  };
}

export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function quoteForCode(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}
