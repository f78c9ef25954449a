import type { Client } from '../../core/client.ts';
import type { Lifetimes } from '../../core/grant.ts';
import { isForSignIn } from '../../core/scope.ts';
import { mayUse, nameScopes, type OwnScopes } from '../../own-scopes.ts';
import type { Permissions } from '../../permissions.ts';
import {
  highlight,
  type Language,
  languages,
  type StepName,
  stepNames,
  type Values,
  writeSnippets,
} from './snippets.ts';

interface QuickstartClient extends Pick<Client, 'id' | 'type' | 'redirectUris'> {
  readonly scopes: OwnScopes;
}

interface QuickstartSettings {
  readonly lifetimes: Pick<Lifetimes, 'codeSeconds'>;
  readonly appUrl: string;
  readonly apiUrl: string;
}

const languageNames = {
  javascript: 'JavaScript server',
  shell: 'curl',
} as const satisfies Record<Language, string>;

/** Public clients must use PKCE, others should (RFC 9700 §2.1.1). */
export function describeQuickstart(
  { id, type, redirectUris, scopes }: QuickstartClient,
  { appUrl, apiUrl, lifetimes }: QuickstartSettings,
  language: Language,
  { areas, known }: Permissions,
) {
  const isPublic = type === 'public';
  const { isOnLoopback, ...server } = serverFor(redirectUris, isPublic);
  const area = areas.find(({ read }) => mayUse(scopes, read.name));
  const isSignIn = isForSignIn(scopes ?? 'all', known);
  const isForOthers = area === undefined && !isSignIn;
  const values: Values = {
    clientId: id,
    ...server,
    issuer: appUrl,
    isPublic,
    resource: area && `${apiUrl}${area.firstCall}`,
    authorizationPage: `${appUrl}/auth/oauth2/authorize`,
    tokenEndpoint: `${apiUrl}/v2/auth/oauth2/token`,
    revocationEndpoint: `${apiUrl}/v2/auth/oauth2/revoke`,
    signIn: isSignIn
      ? {
          scope: nameScopes(scopes, known).join(' '),
          userinfo: `${apiUrl}/v2/auth/oauth2/userinfo`,
        }
      : undefined,
  };
  const texts = {
    run: ['Save the server', 'It needs Node.js 20 and no packages. Save it as quickstart.mjs.'],
    start: [
      'Run it',
      `Then open ${server.start} in a browser: you approve, and see what the ${isForOthers ? 'token is for' : area ? 'API answers' : 'app learns of you'}.${isPublic ? '' : ' We don’t include your secret; this asks for it.'}`,
    ],
    authorize: [
      'Send the user to the authorization page',
      `Open the printed URL in a browser and approve. In your app, generate a state${isSignIn ? ', a nonce' : ''} and a code verifier for each user, and keep ${isSignIn ? 'them' : 'both'} until they return with code, state and iss: check that state is yours and iss is ${appUrl}.`,
    ],
    exchange: [
      'Exchange the code for tokens',
      `After you approve, the browser opens your redirect URI. A browser error page is fine here: copy the address and paste it at the prompt. The code in it works once, for ${lifetimes.codeSeconds} seconds.${isForOthers ? ' Your app has no scopes of our API: send the access token to the service that its scopes are for, in the Authorization header.' : ''}`,
    ],
    identify: [
      'Check the ID token',
      `It says who signed in: identify users by sub, which never changes, and not by email. This checks iss, aud, nonce and exp; that it comes from our token endpoint stands in for its signature. In your app, let an OpenID Connect library do this.`,
    ],
    userinfo: [
      'Read who signed in',
      'The access token opens userinfo, which has the name and email address that the user approved.',
    ],
    call: ['Call the API', 'Send the access token in a header, never in a URL.'],
    refresh: [
      'Refresh the access token (expires after 30 minutes)',
      'Every response contains a new refresh token: store that one, in one token store for all workers. If a response gets lost, send the same request again.',
    ],
    revoke: [
      'Revoke access',
      'When a user disconnects your app, revoke its access: all its tokens stop working.',
    ],
  } as const satisfies Record<StepName, readonly [title: string, text: string]>;
  const snippets = writeSnippets(language, values);
  return {
    redirectUri: server.redirectUri,
    isOnLoopback,
    steps: stepNames.flatMap((name) => {
      const [title, text] = texts[name];
      const code = snippets.get(name);
      return code === undefined ? [] : [{ name, title, text, code, pieces: highlight(code) }];
    }),
    endpoints: [
      ['Authorization', values.authorizationPage],
      ['Token', values.tokenEndpoint],
      ['Revocation', values.revocationEndpoint],
      ...(values.signIn ? [['Userinfo', values.signIn.userinfo] as const] : []),
      [
        'Discovery',
        `${appUrl}/.well-known/${isSignIn ? 'openid-configuration' : 'oauth-authorization-server'}`,
      ],
      ['API documentation', `${appUrl}/docs?client_id=${id}`],
    ] as const,
  };
}

const usualPort = 3000;

const webOrigin = /^(https?:\/\/(\[::1\]|[^/?:]+)(?::(\d+))?)(?=[/?]|$)/;

/** Who tries a server does so on their computer, so a redirect URI that leads there comes first. */
function serverFor(redirectUris: readonly string[], isPublic: boolean) {
  const onLoopback = redirectUris.find((uri) => uri.startsWith('http://'));
  const [first = ''] = redirectUris;
  // A public app's may have any port (RFC 8252 §7.3).
  const registered = onLoopback ?? first;
  const isAnyPort = onLoopback !== undefined && isPublic && webOrigin.exec(onLoopback)?.[3] === undefined;
  const redirectUri = isAnyPort ? onLoopback.replace(webOrigin, `$1:${usualPort}`) : registered;
  const [, origin = `http://localhost:${usualPort}`, host = '', port = '80'] =
    webOrigin.exec(redirectUri) ?? [];
  const isOnLoopback = onLoopback !== undefined;
  return {
    redirectUri,
    isOnLoopback,
    host: isOnLoopback ? host.replaceAll(/[[\]]/g, '') : 'localhost',
    port: isOnLoopback ? Number(port) : usualPort,
    start: `${origin}/`,
  };
}

export function languageTabs(page: string, current: Language) {
  return languages.map((language) => ({
    address: language === languages[0] ? page : `${page}?language=${language}`,
    words: languageNames[language],
    isCurrent: language === current,
  }));
}
