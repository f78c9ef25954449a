import type { Client } from '../../core/client.ts';
import type { Lifetimes } from '../../core/grant.ts';
import { mayUse } from '../../core/scope.ts';
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

type QuickstartClient = Pick<Client, 'id' | 'type' | 'redirectUris' | 'scopes'>;

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

/** Public clients must use PKCE, others should (RFC 9700 §2.1.1). */
export function describeQuickstart(
  { id, type, redirectUris, scopes }: QuickstartClient,
  { appUrl, apiUrl, lifetimes }: QuickstartSettings,
  language: Language,
  { areas }: Permissions,
) {
  const [redirectUri = ''] = redirectUris;
  const isPublic = type === 'public';
  const [usual] = areas;
  const path = (areas.find(({ read }) => mayUse(scopes, read.name)) ?? usual)?.firstCall ?? '';
  const values: Values = {
    ...{ clientId: id, redirectUri, isPublic, resource: `${apiUrl}${path}` },
    authorizationPage: `${appUrl}/auth/oauth2/authorize`,
    tokenEndpoint: `${apiUrl}/v2/auth/oauth2/token`,
    revocationEndpoint: `${apiUrl}/v2/auth/oauth2/revoke`,
  };
  const texts = {
    authorize: [
      'Send the user to the authorization page',
      `Open the printed URL in a browser and approve. In your app, generate a state and a code verifier for each user, and keep both until they return with code, state and iss: check that state is yours and iss is ${appUrl}.`,
    ],
    exchange: [
      'Exchange the code for tokens',
      `After you approve, the browser opens your redirect URI. A browser error page is fine here: copy the address and paste it at the prompt. The code in it works once, for ${lifetimes.codeSeconds} seconds.`,
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
    steps: stepNames.map((name) => {
      const [title, text] = texts[name];
      return { name, title, text, code: snippets[name] };
    }),
    endpoints: [
      ['Authorization', values.authorizationPage],
      ['Token', values.tokenEndpoint],
      ['Revocation', values.revocationEndpoint],
      ['Discovery', `${appUrl}/.well-known/oauth-authorization-server`],
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
