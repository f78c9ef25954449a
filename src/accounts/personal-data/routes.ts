import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { PersonalRows } from '../../platform/belongings.ts';
import { counted, spendAll } from '../../platform/limits/store.ts';
import { findOrphans } from '../../platform/orphans/store.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { sessionOf, settingsPlugin } from '../sessions/session.ts';
import { personalRows, readPages } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'settings/data': Page;
  }
}

const home = '/settings/data';
/** People with more than 100,000 rows in a table ask the operator, whose command has no limit. */
const maxPages = 100;

/** Serves all that is stored about a person (contract §1). */
export const personalDataPlugin = settingsPlugin('personal-data', home, async (app) => {
  app.get(home, async ({ words: { t } }, reply) =>
    sendPage(reply, 'settings/data', { title: t('Your data') }),
  );

  app.post(`${home}/export`, async (request, reply) => {
    const { person } = sessionOf(request);
    await spendAll(app.db, [counted('notable', ['export', person.id])], app.runtime.now());
    const orphans = await findOrphans(app);
    return reply
      .type('application/json')
      .header('content-disposition', 'attachment; filename="latchkey-data.json"')
      .send(Readable.from(writeJson(request, personalRows(app, person), orphans)));
  });
});

/** Writes as fast as the browser reads, and holds no database connection meanwhile. */
async function* writeJson(
  { server: { db, runtime } }: FastifyRequest,
  tables: readonly PersonalRows[],
  orphans: readonly string[],
): AsyncGenerator<string> {
  const incomplete = [...orphans];
  yield `{"exportedAt":${JSON.stringify(runtime.now())}`;
  for (const rows of tables) {
    yield `,\n${JSON.stringify(rows.name)}:[`;
    let pages = 0;
    let between = '\n';
    for await (const page of readPages(db, rows)) {
      if (page.length === 0) break;
      if (pages === maxPages) {
        incomplete.push(rows.name);
        break;
      }
      pages += 1;
      yield between + page.map((row) => JSON.stringify(row)).join(',\n');
      between = ',\n';
    }
    yield ']';
  }
  yield `,\n"incomplete":${JSON.stringify(incomplete)}}\n`;
}
