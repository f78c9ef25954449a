import { expect, test } from 'vitest';
import { openAs } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { hiddenFieldsOf } from '../support/world.ts';
import { listDeletions } from './deletions.ts';

const service = await openTestService();
const deletions = await listDeletions(service);
/** Pages that stay: more can be created, a removal is reviewed first, or it ends within minutes. */
const lasting = ['Create new codes', 'Remove logo', 'Delete users'];

test.each(deletions)(
  '%s is deleted by a page of its own, without JavaScript (security C273)',
  async (_name, session, place, action, button) => {
    const path = `${place}${action}`;
    const asked = await openAs(service, path, session);
    const again = await openAs(service, path, session);
    const [, form = ''] =
      new RegExp(
        `<form class="card danger-zone" method="post" action="${path.replace(/\?.*/, '')}">(.*?)</form>`,
        's',
      ).exec(asked.body) ?? [];
    const [, back = ''] = /<a class="button plain" href="([^"]+)">Cancel<\/a>/.exec(form) ?? [];

    expect([asked.statusCode, again.statusCode]).toEqual([200, 200]);
    expect(textOf(form)).toContain(button);
    expect(form).not.toContain('autofocus');
    const { body } = await openAs(service, back, session);
    expect(body).toContain(`href="${path}"`);
    expect(body).not.toContain(`action="${path}"`);

    const done = await postOwnForm(service, path, hiddenFieldsOf(form), session);

    expect([200, 303]).toContain(done.statusCode);
    if (!lasting.includes(button)) expect((await openAs(service, path, session)).statusCode).not.toBe(200);
  },
);
