import { openAs } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { developerHome, postOwnForm, registration, reviewHome } from '../support/registration.ts';
import type { TestService } from '../support/service.ts';
import { hiddenFieldsOf } from '../support/world.ts';

/** An admin reads the app's page there and presses its button. */
export async function acceptAsShown(service: TestService, id: string, cookie: string) {
  const page = await openAs(service, `${reviewHome}/${id}`, cookie);
  const [, form = ''] = /<form method="post" action="[^"]*\/accept">(.*?)<\/form>/s.exec(page.body) ?? [];
  const answer = await postOwnForm(service, `${reviewHome}/${id}/accept`, hiddenFieldsOf(form), cookie);
  return { page: textOf(page.body), answer };
}

/** Sends the form as it is shown, with these boxes ticked in place of those that are. */
export async function saveAsShown(
  service: TestService,
  id: string,
  cookie: string,
  changes: Readonly<Record<string, string>> = {},
  ticked?: readonly string[],
) {
  const { body } = await openAs(service, `${developerHome}/${id}/edit`, cookie);
  const boxes = [...body.matchAll(/name="scopes(?:_\w+)?" value="([^"]+)"[^>]* checked/g)].map(
    ([, name = '']) => name,
  );
  const [, access = ''] = /name="access" value="([^"]*)"(?: required)? checked/.exec(body) ?? [];
  const { client_type: _, ...fields } = registration;
  const sent = new URLSearchParams({ ...hiddenFieldsOf(body), ...fields, access, ...changes });
  for (const name of ticked ?? boxes) sent.append('scopes', name);
  return service.app.inject({
    method: 'POST',
    url: `${developerHome}/${id}/edit`,
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: sent.toString(),
  });
}
