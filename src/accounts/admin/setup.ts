import type { FastifyRequest } from 'fastify';
import { checkMailServer, mailFailureOf } from '../../platform/mail/smtp.ts';
import type { Platform } from '../../platform/platform.ts';
import { sessionOf } from '../sessions/session.ts';
import { hasPasskey } from '../store.ts';

export interface SetupStep {
  readonly words: string;
  readonly says: string;
  readonly isDone: Judgement[0];
  readonly address?: string | undefined;
}

const isLocal = (appUrl: string): boolean => /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(appUrl);

/** Names what the settings alone show to be missing. */
export function missingSetup({ appUrl, mail }: Config): readonly string[] {
  return [...(mail === undefined ? ['email'] : []), ...(isLocal(appUrl) ? ['a public address'] : [])];
}

type Config = Platform['config'];
/** Undefined means that only people can know. */
type Judgement = readonly [isDone: boolean | undefined, says: string];

/** What `latchkey doctor` and admins read about the same settings. */
export const judgements = {
  async mail({ mail }, timeoutMs) {
    if (mail === undefined) return [false, 'No email is sent. Set SMTP_URL and MAIL_FROM.'];
    const failure = await checkMailServer(mail, timeoutMs).catch(explainMail);
    return failure === undefined
      ? [true, 'The server answers and lets us sign in.']
      : [false, `Unusable (${failure}). Check SMTP_URL and firewalls.`];
  },
  address({ appUrl }) {
    if (isLocal(appUrl)) return [false, `Only this machine opens ${appUrl}. Set APP_URL.`];
    return appUrl.startsWith('https:')
      ? [true, `${appUrl} is encrypted, and cookies are Secure.`]
      : [false, 'Passwords can be read on their way. Set APP_URL to an https address.'];
  },
  storage({ storage: { kind } }) {
    return kind === 'embedded'
      ? [false, 'The embedded database is for trying things out. Set DATABASE_URL.']
      : [undefined, 'Back up the database, and SECRET apart from it.'];
  },
} as const satisfies Readonly<
  Record<string, (config: Config, timeoutMs: number) => Judgement | Promise<Judgement>>
>;

/** Nodemailer has the system's code, such as ECONNREFUSED, in its message alone. */
function explainMail(error: unknown): string {
  const { failure } = mailFailureOf(error);
  const [code] = (error instanceof Error && /\bE[A-Z_]{4,}\b/.exec(error.message)) || [];
  return code === undefined || code === failure ? failure : `${failure}, ${code}`;
}

const checkMs = 3000;

/** Says what an admin has to set up. */
export async function readSetup(request: FastifyRequest): Promise<readonly SetupStep[]> {
  const { config, db, secondFactor } = request.server;
  const { signUp, emailVerification } = config;
  const ownPasskey = secondFactor && (await hasPasskey(db, sessionOf(request).person.id));
  const stepOf = (words: string, [isDone, says]: Judgement): SetupStep => ({ words, isDone, says });
  return [
    {
      ...stepOf('Email', await judgements.mail(config, checkMs)),
      address: '/settings/admin/outbox',
    },
    {
      words: 'Email addresses',
      isDone: emailVerification === 'required',
      says:
        emailVerification === 'required'
          ? 'People verify theirs before they can use it.'
          : 'People can use addresses that aren’t theirs. Set SMTP_URL, or EMAIL_VERIFICATION.',
    },
    stepOf('Public address', judgements.address(config)),
    ...(ownPasskey === undefined
      ? []
      : [
          {
            words: 'Passkey of your account',
            isDone: ownPasskey,
            says: ownPasskey
              ? 'You have one. ADMIN_PASSKEYS can require it of all admins.'
              : 'Your password alone opens these pages. Add a passkey.',
            address: secondFactor?.settingsPath,
          },
        ]),
    {
      words: 'Sign-up',
      isDone: undefined,
      says:
        signUp === 'open'
          ? 'Anyone can create an account. SIGNUP=closed ends that.'
          : 'Closed. Create accounts with latchkey users create.',
      address: '/settings/admin/accounts',
    },
    stepOf('Backup', judgements.storage(config)),
  ];
}
