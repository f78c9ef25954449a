import { type Client, idTokenAlgorithms } from '../../core/client.ts';
import type { Lifetimes } from '../../core/grant.ts';
import { isForSignIn } from '../../core/scope.ts';
import { mayUse, nameScopes, type OwnScopes } from '../../own-scopes.ts';
import type { Permissions } from '../../permissions.ts';
import {
  type Language,
  languages,
  readSecret,
  type StepName,
  stepNames,
  type Values,
  writeSnippets,
} from './snippets.ts';

interface QuickstartClient extends Pick<Client, 'id' | 'type' | 'redirectUris' | 'idTokenAlgorithm'> {
  readonly scopes: OwnScopes;
}

interface QuickstartSettings {
  readonly lifetimes: Pick<Lifetimes, 'codeSeconds'>;
  readonly appUrl: string;
  readonly apiUrl: string;
}

const languageWords = {
  shell: { name: 'Shell', run: 'Paste the steps into bash or zsh, one after the other.' },
  javascript: {
    name: 'JavaScript',
    run: 'Put the steps into one file, quickstart.mjs, and run node quickstart.mjs.',
  },
  python: {
    name: 'Python',
    run: 'Put the steps into one file, quickstart.py, and run python3 quickstart.py. It needs no packages.',
  },
} as const satisfies Record<Language, { readonly name: string; readonly run: string }>;

/** Whatever comes from the token endpoint itself needs no signature (OpenID Connect Core 3.1.3.7). */
const checks = {
  shell:
    'This checks iss, aud, nonce and exp; that it comes from our token endpoint stands in for its signature.',
  javascript: 'This checks its signature with our published keys, and iss, aud, nonce and exp.',
  python: 'This checks its signature with our published keys where it’s RS256, and iss, aud, nonce and exp.',
} as const satisfies Record<Language, string>;

/** Public clients must use PKCE, others should (RFC 9700 §2.1.1). */
export function describeQuickstart(
  { id, type, redirectUris, scopes, idTokenAlgorithm }: QuickstartClient,
  { appUrl, apiUrl, lifetimes }: QuickstartSettings,
  language: Language,
  { areas, known }: Permissions,
) {
  const [redirectUri = ''] = redirectUris;
  const isPublic = type === 'public';
  const area = areas.find(({ read }) => mayUse(scopes, read.name));
  const isSignIn = isForSignIn(scopes ?? 'all', known);
  const isForOthers = area === undefined && !isSignIn;
  const values: Values = {
    clientId: id,
    redirectUri,
    isPublic,
    resource: area && `${apiUrl}${area.firstCall}`,
    authorizationPage: `${appUrl}/auth/oauth2/authorize`,
    tokenEndpoint: `${apiUrl}/v2/auth/oauth2/token`,
    revocationEndpoint: `${apiUrl}/v2/auth/oauth2/revoke`,
    signIn: isSignIn
      ? {
          scope: nameScopes(scopes, known).join(' '),
          issuer: appUrl,
          keys: `${appUrl}/.well-known/jwks.json`,
          userinfo: `${apiUrl}/v2/auth/oauth2/userinfo`,
          algorithm: idTokenAlgorithm ?? idTokenAlgorithms[0],
        }
      : undefined,
  };
  const texts = {
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
      `It says who signed in: identify users by sub, which never changes, and not by email. ${checks[language]} In your app, let an OpenID Connect library do this.`,
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
    redirectUri,
    hasMore: redirectUris.length > 1,
    ...languageWords[language],
    prepare: isPublic || language === 'shell' ? undefined : readSecret,
    steps: stepNames.flatMap((name) => {
      const [title, text] = texts[name];
      const code = snippets.get(name);
      return code === undefined ? [] : [{ name, title, text, code }];
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

export function languageTabs(page: string, current: Language) {
  return languages.map((language) => ({
    address: language === 'shell' ? page : `${page}?language=${language}`,
    words: languageWords[language].name,
    isCurrent: language === current,
  }));
}
