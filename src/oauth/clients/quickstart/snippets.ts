import { join } from 'node:path';
import { Eta } from 'eta';
import { packageFolder } from '../../../platform/package.ts';

export const languages = ['javascript', 'shell'] as const;
export type Language = (typeof languages)[number];

export const stepNames = [
  'run',
  'start',
  'authorize',
  'exchange',
  'identify',
  'userinfo',
  'call',
  'refresh',
  'revoke',
] as const;
export type StepName = (typeof stepNames)[number];

/** Snippets never contain the secret: the shell prompts for it, and the server reads this variable. */
const secretVariable = 'LATCHKEY_CLIENT_SECRET';
const readSecret = `printf 'Client secret: '; read -rs ${secretVariable}; export ${secretVariable}; echo`;

export interface Values {
  readonly clientId: string;
  readonly redirectUri: string;
  /** Where the server listens, and where a browser opens it. */
  readonly host: string;
  readonly port: number;
  readonly start: string;
  readonly issuer: string;
  readonly isPublic: boolean;
  /** An address of our API that the app's scopes open. */
  readonly resource: string | undefined;
  /** Undefined for apps that sign nobody in. */
  readonly signIn: { readonly scope: string; readonly userinfo: string } | undefined;
  readonly authorizationPage: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string;
}

const eta = new Eta({
  views: join(packageFolder, 'views/oauth/quickstart'),
  defaultExtension: '.txt',
  cache: true,
  autoEscape: false,
  autoTrim: false,
});

/** The steps of a language are in one template, each below its name; one without a scope has no snippet. */
export function writeSnippets(language: Language, values: Values): ReadonlyMap<string, string> {
  const query = new URLSearchParams({
    client_id: values.clientId,
    redirect_uri: values.redirectUri,
    ...(values.signIn && { response_type: 'code', scope: values.signIn.scope }),
  });
  const quoting = { shell: quoteForShell, code: quoteForCode };
  const text = eta.render(`./${language}`, { ...values, ...quoting, query, readSecret, secretVariable });
  const [, ...pieces] = text.split(/^=== (\w+)\n/m);
  const named = pieces.flatMap((name, index) =>
    index % 2 === 0 ? [[name, (pieces[index + 1] ?? '').trimEnd()] as const] : [],
  );
  return new Map(named);
}

export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function quoteForCode(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('<', '\\u003c')}'`;
}

/** Strings, comments and words of JavaScript and of the shell; none but a template goes beyond its line. */
const tokens =
  /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`[^`]*`|\/\/.*|\b(?:async|await|case|const|else|esac|fi|from|if|import|new|return|then)\b)/;

/** Cuts code into pieces, of which a page colors some; together they are the code again. */
export function highlight(code: string) {
  return code
    .split(tokens)
    .map((text, index) => ({ text, kind: index % 2 === 0 ? undefined : kindOf(text) }));
}

function kindOf(token: string): 'string' | 'comment' | 'keyword' {
  if (token.startsWith('//')) return 'comment';
  return /^\w/.test(token) ? 'keyword' : 'string';
}
