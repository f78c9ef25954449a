import type { FastifyReply } from 'fastify';
import { sendPage } from '../../web/pages.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    /** Undefined where passkeys are off. */
    readonly secondFactor: SecondFactorPages | undefined;
  }
}

/** Where people use their passkeys. */
export interface SecondFactorPages {
  /** Asks this browser for one, or for a recovery code, after the right password. */
  readonly ask: (reply: FastifyReply, account: PasswordHolder, returnTo: string) => FastifyReply;
  /** The page that takes one instead of the password. */
  readonly signInPath: string;
  /** The page where one is added. */
  readonly settingsPath: string;
}

interface PasswordHolder {
  readonly id: number;
  readonly passwordHash: string;
}

/**
 * After the right password of an account that has passkeys. Where nothing asks for them, it stays
 * closed: leaving them out must not make it weaker (security C250).
 */
export async function askSecondFactor(
  reply: FastifyReply,
  account: PasswordHolder,
  returnTo: string,
): Promise<FastifyReply> {
  const { secondFactor } = reply.request.server;
  if (secondFactor !== undefined) return secondFactor.ask(reply, account, returnTo);
  return sendPage(reply.code(403), 'error', {
    title: 'Your password alone doesn’t sign you in',
    text: 'Your account has a passkey, and this service has turned passkeys off. Ask the people who run it to turn them on again, or to remove your passkeys.',
  });
}
