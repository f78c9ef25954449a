import { expect, test } from 'vitest';
import { logoPath, makePng, uploadLogo } from '../support/pictures.ts';
import { developerHome, findClientRow, submitClient } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';

const service = await openTestService();
const without = await openAnotherInstance(service, { PARTS: '-logos' });

test('without the part, apps keep their logos, and have no page for another one (contract §2)', async () => {
  const { id, cookie } = await submitClient(service);
  await uploadLogo(service, id, cookie, makePng(64, 64));
  const logo = `/logos/${(await findClientRow(service, id))?.logoId}`;
  const open = (url: string) => without.app.inject({ url, headers: { cookie } });

  const [list, overview, upload, served] = await Promise.all(
    [developerHome, `${developerHome}/${id}`, logoPath(id), logo].map(open),
  );

  expect(list?.body).toContain(`src="${logo}"`);
  expect([overview?.statusCode, upload?.statusCode, served?.statusCode]).toEqual([200, 404, 200]);
  expect(overview?.body).not.toContain(logoPath(id));
  expect((await service.app.inject({ url: `${developerHome}/${id}`, headers: { cookie } })).body).toContain(
    logoPath(id),
  );
});
