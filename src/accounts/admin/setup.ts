import type { FastifyRequest } from 'fastify';
import { checkMailServer, mailFailureOf } from '../../platform/mail/smtp.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Sentence } from '../../platform/words.ts';
import { sessionOf } from '../sessions/session.ts';
import { hasPasskey } from '../store.ts';

const isLocal = (appUrl: string): boolean => /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(appUrl);

/** Names what the settings alone show to be missing. */
export function missingSetup({ appUrl, mail }: Config): readonly Sentence[] {
  return [
    ...(mail === undefined ? ['email' satisfies Sentence] : []),
    ...(isLocal(appUrl) ? ['a public address' satisfies Sentence] : []),
  ];
}

type Config = Platform['config'];
/** Undefined means that only people can know. */
type Judgement = readonly [isDone: boolean | undefined, says: string];

/** What `latchkey-server doctor` and admins read about the same settings. */
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

/** A step may have a page. */
const stepOf = (words: string, [isDone, says]: Judgement, address?: string) =>
  ({ words, isDone, says, address }) as const;

/** Says what an admin has to set up. */
export async function readSetup(request: FastifyRequest) {
  const { config, db, secondFactor } = request.server;
  const { signUp, emailVerification } = config;
  const verified: Judgement =
    emailVerification === 'required'
      ? [true, 'People verify theirs before they can use it.']
      : [false, 'People can use addresses that aren’t theirs. Set SMTP_URL, or EMAIL_VERIFICATION.'];
  const passkey: Judgement = (await hasPasskey(db, sessionOf(request).person.id))
    ? [true, 'You have one. ADMIN_PASSKEYS can require it of all admins.']
    : [false, 'Your password alone opens these pages. Add a passkey.'];
  const signUpWords =
    signUp === 'open'
      ? 'Anyone can create an account. SIGNUP=closed ends that.'
      : 'Closed. People who have an account keep it.';
  return [
    stepOf('Email', await judgements.mail(config, checkMs), '/settings/admin/outbox'),
    stepOf('Email addresses', verified),
    stepOf('Public address', judgements.address(config)),
    ...(secondFactor ? [stepOf('Passkey of your account', passkey, secondFactor.settingsPath)] : []),
    stepOf('Sign-up', [undefined, signUpWords], '/settings/admin/accounts'),
    stepOf('Backup', judgements.storage(config)),
  ];
}
