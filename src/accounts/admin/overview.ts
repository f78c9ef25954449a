import { listDailyNumbers } from '../../platform/metrics/daily.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { keepEnglish } from '../../web/translated.ts';
import { settingsPlugin } from '../sessions/session.ts';
import { requireAdmin } from './admins.ts';
import { readSetup } from './setup.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'admin/overview': Page & {
      readonly steps: Awaited<ReturnType<typeof readSetup>>;
      readonly numbers: ReturnType<typeof plot>[];
    };
  }
}

export const overviewHome = '/settings/admin';

export const overviewPlugin = settingsPlugin('admin-overview', overviewHome, async (app) => {
  app.addHook('onRequest', keepEnglish);
  app.addHook('preValidation', requireAdmin);

  app.get(overviewHome, async (request, reply) => {
    const [steps, numbers] = await Promise.all([readSetup(request), listDailyNumbers(app)]);
    return sendPage(reply, 'admin/overview', { title: 'Overview', steps, numbers: numbers.map(plot) });
  });
});

const height = 48;

/** The tallest day has the whole height; a day with anything can be seen. */
function plot({ words, days }: Awaited<ReturnType<typeof listDailyNumbers>>[number]) {
  const most = Math.max(1, ...days.map(({ total }) => total));
  return {
    words,
    sum: days.reduce((sum, { total }) => sum + total, 0),
    today: days.at(-1)?.total ?? 0,
    height,
    bars: days.map(({ total }, index) => {
      const tall = total === 0 ? 1 : Math.max(3, Math.round((total / most) * height));
      return { x: index * 8, y: height - tall, tall, isEmpty: total === 0 };
    }),
  };
}
