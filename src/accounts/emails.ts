import { type Db, inTransaction } from '../platform/database.ts';
import { type DateWords, dateWordsOf } from '../platform/locale.ts';
import { type Email, type RenderedEmail, renderEmail } from '../platform/mail/email.ts';
import { addToOutbox } from '../platform/mail/store.ts';
import type { Platform } from '../platform/platform.ts';
import { english, type Sentence, type Words } from '../platform/words.ts';
import type { Reader } from '../web/translated.ts';
import { describeBrowser } from './browsers.ts';
import { needsVerification, type Person } from './person.ts';

/** For emails, which someone else may have caused: as the last sign-in had it. */
export function datesFor(
  { timeZone, timeFormat, dateLocale }: Pick<Person, 'timeZone' | 'timeFormat' | 'dateLocale'>,
  { locale }: Words,
): DateWords {
  return dateWordsOf({ timeZone, language: locale ?? dateLocale, hours: timeFormat });
}

/** An email is in the language that its reader has chosen, or last signed in with. */
export async function wordsFor({ languages }: Pick<Platform, 'languages'>, reader: Reader): Promise<Words> {
  return (await languages?.wordsFor(reader)) ?? english;
}

/** Renders a notice, unless the address may be a stranger's (security C57). */
export function noticesTo(
  app: Pick<Platform, 'config' | 'runtime' | 'secrets'>,
  account: Pick<Person, 'email' | 'emailVerifiedAt'>,
  email: Email,
): readonly RenderedEmail[] {
  return needsVerification(app.config, account) ? [] : [renderEmail(email, account.email, app)];
}

/** Changes an account and sends the email about it in one transaction. */
export async function actAndTell<Done>(
  app: Pick<Platform, 'config' | 'db' | 'languages' | 'runtime' | 'secrets'>,
  person: Pick<Person, 'id' | 'email' | 'emailVerifiedAt'> & Reader,
  act: (tx: Db) => Promise<Done>,
  emailOf: (done: Done, words: Words) => Email | undefined,
): Promise<Done> {
  const words = await wordsFor(app, person);
  return inTransaction(app.db, async (tx) => {
    const done = await act(tx);
    const email = emailOf(done, words);
    const cause = `email:user:${person.id}`;
    if (email !== undefined)
      await addToOutbox(tx, noticesTo(app, person, email), app.runtime.now(), { cause });
    return done;
  });
}

/** Announces that someone else learns, or decides, what happens in the account from now on. */
export function holdEmail(subject: string, text: string, page: string, appUrl: string, words: Words): Email {
  const { t } = words;
  return {
    words,
    subject,
    text: [text],
    button: { words: t('View settings'), address: `${appUrl}${page}` },
    advice: [
      t('If this was you, no action is needed.'),
      t('If it wasn’t you, someone else is in your account. Undo this, and reset your password.'),
    ],
    links: [{ words: t('Reset password'), address: `${appUrl}/forgot` }],
  };
}

const strangerFooter = ({ t }: Words): string =>
  t('You get this email because someone entered your address on our site.');

export function verificationEmail(address: string, words: Words): Email {
  const { t } = words;
  return {
    words,
    subject: t('Verify your email address'),
    text: [t('Welcome! One click verifies your address, and you’re in.')],
    button: { words: t('Verify email address'), address, isPrivate: true, saysWhenSent: true },
    advice: [
      t(
        'The link works once, for 24 hours. If you didn’t sign up, ignore this email: the account can’t do anything with your address.',
      ),
    ],
    footer: strangerFooter(words),
  };
}

export function addressTakenEmail(appUrl: string, words: Words): Email {
  const { t } = words;
  return {
    words,
    subject: t('You already have an account'),
    text: [
      t('Someone tried to sign up with your email address. You already have an account with it.'),
      t(
        'If this was you, sign in, or reset your password. If it wasn’t, no action is needed: nothing was changed.',
      ),
    ],
    button: { words: t('Sign in'), address: `${appUrl}/signin` },
    links: [{ words: t('Reset password'), address: `${appUrl}/forgot` }],
  };
}

/** The account may be a stranger's, but the owner of its address can have it. */
export function addressUnverifiedEmail(appUrl: string, words: Words): Email {
  const { t } = words;
  return {
    words,
    subject: t('Your email address already has an account'),
    text: [
      t(
        'Someone tried to sign up with your email address. It already has an account, which was never verified.',
      ),
      t(
        'To use that account, reset its password: this verifies your address and signs everyone else out. If you didn’t sign up, no action is needed.',
      ),
    ],
    button: { words: t('Reset password'), address: `${appUrl}/forgot` },
    footer: strangerFooter(words),
  };
}

export function newAddressEmail(address: string, words: Words): Email {
  const { t } = words;
  return {
    words,
    subject: t('Confirm your new email address'),
    text: [t('One click, and your account uses this address.')],
    button: { words: t('Change email address'), address, isPrivate: true, saysWhenSent: true },
    advice: [
      t(
        'The link works once, for 24 hours, where you’re signed in. If you didn’t ask for it, ignore this email: nothing is changed.',
      ),
    ],
    footer: strangerFooter(words),
  };
}

export function addressInUseEmail(words: Words): Email {
  const { t } = words;
  return {
    words,
    subject: t('Someone tried to use your email address'),
    text: [
      t(
        'Someone tried to change the email address of their account to yours. It belongs to another account, so nothing was changed, and they were not told why.',
      ),
      t('If this was you, change the address of the account that uses this one first.'),
    ],
    footer: strangerFooter(words),
  };
}

export function addressChangedEmail(from: string, to: string, appUrl: string, words: Words): Email {
  const { t } = words;
  return {
    words,
    subject: t('Your email address was changed'),
    text: [t('The email address of your account was changed. Sign in with the new address from now on.')],
    facts: [
      [t('From'), from],
      [t('To'), to],
    ],
    button: { words: t('Change password'), address: `${appUrl}/settings/password` },
    advice: [
      t('If this was you, no action is needed.'),
      t(
        'If it wasn’t you, someone else knows your password. Sign in, change the password and then the address. If you can’t sign in anymore, ask your administrator to stop the account.',
      ),
    ],
  };
}

export interface SignInMeansWords {
  readonly text: Sentence;
  readonly advice: Sentence;
  readonly link: { readonly words: Sentence; readonly path: string };
}

export const passwordMeans = {
  text: 'Someone signed in to your account with your password, in a new browser.',
  advice:
    'If it wasn’t you, someone else knows your password. Change it, and sign out the sessions you don’t recognize.',
  link: { words: 'Change password', path: '/settings/password' },
} as const satisfies SignInMeansWords;

interface SignInFacts {
  readonly means: SignInMeansWords;
  readonly at: Date;
  readonly owner: Pick<Person, 'timeZone' | 'timeFormat' | 'dateLocale'>;
  readonly userAgent: string | null;
  readonly address: string;
}

export function newSignInEmail(
  { means, at, owner, userAgent, address }: SignInFacts,
  appUrl: string,
  words: Words,
): Email {
  const { t, say } = words;
  return {
    words,
    subject: t('New sign-in to your account'),
    text: [say(means.text)],
    facts: [
      [t('When'), datesFor(owner, words).momentOf(at)],
      [t('Browser'), describeBrowser(userAgent, words)],
      [t('Address'), address],
    ],
    button: { words: t('View sessions'), address: `${appUrl}/settings/sessions` },
    advice: [t('If this was you, no action is needed.'), say(means.advice)],
    links: [{ words: say(means.link.words), address: `${appUrl}${means.link.path}` }],
  };
}

export function resetEmail(address: string, words: Words): Email {
  const { t } = words;
  return {
    words,
    subject: t('Reset your password'),
    text: [t('Someone asked to reset the password of your account.')],
    button: { words: t('Choose a new password'), address, isPrivate: true, saysWhenSent: true },
    advice: [
      t(
        'The link works once, for 30 minutes. If you didn’t ask for it, ignore this email: your password stays the same.',
      ),
    ],
  };
}

export function passwordChangedEmail(appUrl: string, words: Words): Email {
  const { t } = words;
  return {
    words,
    subject: t('Your password was changed'),
    text: [
      t('The password of your account was changed, and you were signed out everywhere else.'),
      t('If this was you, no action is needed. If it wasn’t, reset your password now.'),
    ],
    button: { words: t('Reset password'), address: `${appUrl}/forgot` },
  };
}

export function passkeysRemovedEmail(appUrl: string, words: Words): Email {
  const { t } = words;
  return {
    words,
    subject: t('Your passkeys were removed'),
    text: [
      t(
        'The people who run this service removed the passkeys and recovery codes of your account, and you were signed out everywhere. Your password alone signs you in now.',
      ),
    ],
    button: { words: t('Sign in'), address: `${appUrl}/signin` },
    advice: [t('If you didn’t ask for this, change your password and contact them.')],
  };
}

/** The usual footer says "sign in", which a suspended person can't. */
const suspendedFooter = ({ t }: Words): string => t('You get this email because of your account.');

export function suspensionEmail(reason: string, words: Words): Email {
  const { t } = words;
  return {
    words,
    subject: t('Your account was suspended'),
    text: [
      t(
        'An admin suspended your account. You can’t sign in, apps lost their access to it, and your own apps and public pages don’t work. The admin’s reason:',
      ),
    ],
    quote: reason,
    advice: [t('If you think this is a mistake, contact the people who run this service.')],
    footer: suspendedFooter(words),
  };
}

export function restorationEmail(appUrl: string, words: Words): Email {
  const { t } = words;
  return {
    words,
    subject: t('Your account was restored'),
    text: [
      t(
        'You can sign in again, and your public pages work. Apps that had access need your approval again, and your own apps need to be resubmitted.',
      ),
    ],
    button: { words: t('Sign in'), address: `${appUrl}/signin` },
    footer: suspendedFooter(words),
  };
}
