import type { FastifyReply } from 'fastify';
import { sendPage } from '../../web/pages.ts';

declare module '../../platform/platform.ts' {
  interface OptionalCapabilities {
    readonly secondFactor: SecondFactorPages;
  }
}

export interface SecondFactorPages {
  /** Asks this browser for a passkey or a recovery code, after the right password. */
  readonly ask: (reply: FastifyReply, account: PasswordHolder, returnTo: string) => FastifyReply;
  readonly signInPath: string;
  readonly settingsPath: string;
}

interface PasswordHolder {
  readonly id: number;
  readonly passwordHash: string;
}

/**
 * Without the part, the account stays closed: turning passkeys off mustn't weaken it (security
 * C250).
 */
export async function askSecondFactor(reply: FastifyReply, account: PasswordHolder, returnTo: string) {
  const { secondFactor } = reply.request.server;
  if (secondFactor !== undefined) return secondFactor.ask(reply, account, returnTo);
  const { t } = reply.request.words;
  return sendPage(reply.code(403), 'error', {
    title: t('Your password alone doesn’t sign you in'),
    text: t(
      'Your account has a passkey, and this service has turned passkeys off. Ask the people who run it to turn them on again, or to remove your passkeys.',
    ),
  });
}
