import { expect, test } from 'vitest';
import { addPerson } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { hiddenFieldsOf, postForm } from '../support/world.ts';

const service = await sharedService();
const languageOf = ({ body }: { readonly body: string }) => /<html lang="([^"]+)"/.exec(body)?.[1];

test('the pages of a sign-out are in the language that the app asks for (RP-Initiated Logout, section 2)', async () => {
  const { cookie } = await addPerson(service);
  const url = '/auth/oauth2/logout?ui_locales=fr-CA%20en';
  const page = await service.app.inject({ url, headers: { cookie } });
  const [, action = ''] = /<form class="card" method="post" action="([^"]*)"/.exec(page.body) ?? [];
  const answer = await postForm(service, textOf(action), hiddenFieldsOf(page.body), cookie);
  const signedOut = await service.app.inject({ url: String(answer.headers.location) });

  expect([page, signedOut].map(languageOf)).toEqual(['fr', 'fr']);
  expect(answer.statusCode).toBe(303);
  expect((await service.app.inject({ url, headers: { cookie } })).body).not.toContain('<form class="card"');
});

test.each(['%00', 'fr&ui_locales=de', 'x'.repeat(9000)])(
  'what isn’t readable there is no fault: %.20s (OpenID Connect Core, section 3.1.2.1)',
  async (ui_locales) => {
    const { cookie } = await addPerson(service);
    const url = `/auth/oauth2/logout?ui_locales=${ui_locales}`;
    const page = await service.app.inject({ url, headers: { cookie } });

    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<form class="card"');
  },
);
