import { describe, expect, test } from 'vitest';
import { signUpFields } from '../support/accounts.ts';
import { setClientStatus } from '../support/client-status.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { addressesOn, isOwnAddress, skeletonOf, textOf, wordsAround } from '../support/page-content.ts';
import { developerHome, mailTo, reviewDecisions, reviewHome, submitClient } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import { addUser, connect, startSession } from '../support/world.ts';
import { createVisitor } from './visitor.ts';

const service = await sharedService();
const adminCookie = await startSession(service, await addUser(service, { isAdmin: true }));

async function open(url: string, cookie: string): Promise<string> {
  return (await service.app.inject({ url, headers: { cookie } })).body;
}

/** Where a client with these texts shows up, each page's markup, from submission to rejection. */
async function showEverywhere(text: string) {
  const { id, cookie, owner } = await submitClient(service, {
    name: text,
    purpose: text,
    client_type: 'public',
  });
  // Other files' apps wait in the queue as well.
  const queue = await open(`${reviewHome}?${new URLSearchParams({ q: owner.email })}`, adminCookie);
  const [row = ''] = new RegExp(`<li id="app-${id}">.*?</li>`, 's').exec(queue) ?? [];
  const judged = await open(`${reviewHome}/${id}`, adminCookie);
  await setClientStatus(service.database.db, id, 'accepted');
  const client = {
    id,
    type: 'public',
    secret: undefined,
    redirectUri: 'https://desk.example/callback',
    ownerId: owner.id,
  } as const;
  await connect(service, client, cookie);
  const connected = await open('/settings/apps', cookie);
  await setClientStatus(service.database.db, id, 'pending');
  await reviewDecisions.reject(service, id, adminCookie, text);
  const pages = {
    list: await open(developerHome, cookie),
    own: await open(`${developerHome}/${id}`, cookie),
    queued: withoutWarnings(row),
    review: withoutWarnings(judged),
    connected,
  };
  // The owner has connected the app too, and was written to about that.
  const mails = (await mailTo(service, owner.email)).filter(({ subject }) => !/^You gave /.test(subject));
  return { pages, mails };
}

/** What is odd about a name is said of some names and not of others; `http/review-page` looks at how. */
function withoutWarnings(html: string): string {
  return html
    .replace(/<section class="notice warn".*?<\/section>/s, '')
    .replace(/<span class="badge warn">[^<]*<\/span>/, '');
}

const plain = await showEverywhere('Plain');

/** No name holds these: see `http/profile`; a purpose makes the first line breaks. */
const { 'line separators': _lines, 'right-to-left override': _turned, ...names } = hostileTexts;

describe.each(Object.entries(names))('%s', async (_name, text) => {
  const { pages, mails } = await showEverywhere(text);

  test("in a client's texts stays text wherever it is shown (security C33)", () => {
    for (const page of ['list', 'own', 'queued', 'review', 'connected'] as const) {
      expect(skeletonOf(pages[page]), page).toEqual(skeletonOf(plain.pages[page]));
      expect(textOf(pages[page]), page).toContain(text);
      expect(
        addressesOn(pages[page]).filter((address) => !isOwnAddress(address)),
        page,
      ).toEqual([]);
    }
  });

  test('in a name stands apart from the words around it (security C33, HTML bdi)', () => {
    for (const page of ['list', 'connected'] as const)
      expect(wordsAround(pages[page]), page).not.toContain(text);
  });

  test('in a mail is the text that it is, in one line of subject (RFC 5322 §2.2)', () => {
    expect(mails).toMatchObject([{ subject: `${text} was rejected` }]);
    expect(mails[0]?.text).toContain(`The reviewer’s reason:\n\n${text}\n`);
  });

  test("as a person's name stays text on every page (security C33)", async () => {
    const visitor = createVisitor(service);
    const other = createVisitor(service);
    await visitor.fillIn('/signup', { ...signUpFields(), name: text });
    await other.fillIn('/signup', { ...signUpFields(), name: 'Plain' });

    const home = await visitor.open('/');

    expect(textOf(home.body)).toContain(`Hello, ${text}`);
    expect(wordsAround(home.body)).not.toContain(text);
    // An address may break at each dash, and a username has as many as its name has words.
    const tagsOf = (html: string) => skeletonOf(html).filter((tag) => tag !== 'wbr');
    expect(tagsOf(home.body)).toEqual(tagsOf((await other.open('/')).body));
  });
});
