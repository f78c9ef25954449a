import type { FastifyRequest } from 'fastify';
import { checkMailServer, mailFailureOf } from '../../platform/mail/smtp.ts';
import type { Platform } from '../../platform/platform.ts';
import { sessionOf } from '../sessions/session.ts';
import { hasPasskey } from '../store.ts';

export interface SetupStep {
  readonly words: string;
  readonly says: string;
  /** Undefined means that only people can know. */
  readonly isDone: boolean | undefined;
  readonly address?: string | undefined;
}

const isLocal = (appUrl: string): boolean => /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(appUrl);

/** Names what the settings alone show to be missing. */
export function missingSetup({ appUrl, mail }: Platform['config']): readonly string[] {
  return [...(mail === undefined ? ['email'] : []), ...(isLocal(appUrl) ? ['a public address'] : [])];
}

const checkMs = 3000;

/** Says what an admin has to set up, as `latchkey doctor` does. */
export async function readSetup(request: FastifyRequest): Promise<readonly SetupStep[]> {
  const { config, db, secondFactor } = request.server;
  const { appUrl, mail, signUp, emailVerification, storage } = config;
  const isSecure = appUrl.startsWith('https:');
  const ownPasskey = secondFactor && (await hasPasskey(db, sessionOf(request).person.id));
  const failure =
    mail && (await checkMailServer(mail, checkMs).catch((error) => mailFailureOf(error).failure));
  return [
    {
      words: 'Email',
      isDone: mail !== undefined && failure === undefined,
      says:
        mail === undefined
          ? 'No email is sent. Set SMTP_URL and MAIL_FROM.'
          : failure === undefined
            ? 'The server answers and lets us sign in.'
            : `Unusable (${failure}). Check SMTP_URL and firewalls.`,
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
    {
      words: 'Public address',
      isDone: isSecure && !isLocal(appUrl),
      says: isLocal(appUrl)
        ? `Only this machine opens ${appUrl}. Set APP_URL.`
        : isSecure
          ? `${appUrl} is encrypted.`
          : 'Passwords can be read on their way. Set APP_URL to an https address.',
    },
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
    {
      words: 'Backup',
      isDone: storage.kind === 'embedded' ? false : undefined,
      says:
        storage.kind === 'embedded'
          ? 'The embedded database is for trying things out. Set DATABASE_URL.'
          : 'Back up the database, and SECRET apart from it.',
    },
  ];
}
