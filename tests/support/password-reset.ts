import type { LightMyRequestResponse } from 'fastify';
import { openEmail } from '../../src/platform/mail/email.ts';
import { mailTo } from './registration.ts';
import type { TestService } from './service.ts';
import { postForm } from './world.ts';

export const resetSubject = 'Reset your password';
export const changedSubject = 'Your password was changed';

/** Types an address into the form for a forgotten password. */
export async function askForReset(service: TestService, email: string): Promise<LightMyRequestResponse> {
  return postForm(service, '/forgot', { email });
}

/** The paths of the reset emails' links to an address. */
export async function resetPathsTo(service: TestService, email: string): Promise<readonly string[]> {
  const emails = (await mailTo(service, email)).filter(({ subject }) => subject === resetSubject);
  return emails.map((email) => {
    const { text } = openEmail(email, service.rootSecret, email.createdAt);
    return new URL(/http\S+/.exec(text)?.[0] ?? '').pathname;
  });
}

/** Asks for an email and opens it: the path that its link leads to. */
export async function obtainResetPath(service: TestService, email: string): Promise<string> {
  await askForReset(service, email);
  const paths = await resetPathsTo(service, email);
  const path = paths.at(-1);
  if (path === undefined) throw new Error('there is no email');
  return path;
}
