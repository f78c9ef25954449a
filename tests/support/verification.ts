import type { LightMyRequestResponse } from 'fastify';
import { openEmail } from '../../src/platform/mail/email.ts';
import { mailTo, postOwnForm } from './registration.ts';
import { openTestService, type TestClock, type TestService } from './service.ts';
import { postForm } from './world.ts';

/** Nobody listens there: email stays in the outbox. */
export const mailSettings = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Latchkey <no-reply@cal.example>' };

/** With mail, but without verified addresses. */
export const trustingMail = { ...mailSettings, EMAIL_VERIFICATION: 'off' };

/** A service that requires verified addresses, as every one with a mail server does. */
export async function openVerifyingService(clock?: TestClock): Promise<TestService> {
  return openTestService(mailSettings, clock);
}

export const verifySubject = 'Verify your email address';

/** The paths of the links to verify that were emailed to an address, sent so many hours later. */
export async function verifyPathsTo(
  service: TestService,
  email: string,
  hoursLater = 0,
): Promise<readonly string[]> {
  const emails = (await mailTo(service, email)).filter(({ encryptedLink }) => encryptedLink !== null);
  return emails.flatMap((message) => {
    const sentAt = new Date(message.createdAt.getTime() + hoursLater * 3_600_000);
    const { text } = openEmail(message, service.rootSecret, sentAt);
    const [, path] = /https?:\/\/[^/\s]+(\/verify\/\S+)/.exec(text) ?? [];
    return path === undefined ? [] : [path];
  });
}

/** Returns the path in the last email. */
export async function verifyPathTo(service: TestService, email: string): Promise<string> {
  const path = (await verifyPathsTo(service, email)).at(-1);
  if (path === undefined) throw new Error('there is no link');
  return path;
}

/** Presses the page's button, signed in or not. */
export async function pressVerify(
  service: TestService,
  path: string,
  cookie?: string,
): Promise<LightMyRequestResponse> {
  const hasSession = cookie?.includes('latchkey_session') === true;
  return hasSession ? postOwnForm(service, path, {}, cookie) : postForm(service, path, {}, cookie);
}

/** The subjects of the emails to an address, oldest first. */
export async function subjectsTo(service: TestService, email: string): Promise<readonly string[]> {
  return (await mailTo(service, email)).map(({ subject }) => subject);
}
