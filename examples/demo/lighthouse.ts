import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { findFreePort } from './ports.ts';
import { consentPath, enter, openScene } from './scene.ts';

/** Lighthouse is fetched on demand: 180 MB that nothing else here needs. */
const lighthouse = 'lighthouse@13.5.0';
const reportOf = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
  audits: z.record(z.string(), z.object({ title: z.string(), score: z.number().nullable().optional() })),
});

/** Prints scores (0 to 100). Reports go into the folder of the first argument, or `lighthouse`. */
async function main(): Promise<void> {
  const folder = process.argv[2] ?? 'lighthouse';
  await mkdir(folder, { recursive: true });
  const port = await findFreePort(9222);
  await using scene = await openScene([`--remote-debugging-port=${port}`]);
  const { appUrl, world, browser } = scene;
  // Lighthouse opens its tabs in the browser's own context, which therefore must be signed in.
  const connected = await browser.browserType().connectOverCDP(`http://127.0.0.1:${port}`);
  const own = connected.contexts()[0];
  if (own === undefined) throw new Error('the browser has no context of its own');
  const { username } = world.teamOwner;
  const pages = {
    landing: '/',
    'sign-in': '/signin',
    booking: `/${username}/talk`,
    consent: consentPath(world),
    home: '/',
  };
  process.stdout.write(
    '| Page | As | Performance | Accessibility | Best practices | SEO |\n|---|---|---|---|---|---|\n',
  );
  for (const [name, path] of Object.entries(pages)) {
    if (name === 'consent') await enter(scene, world.teamOwner, Promise.resolve(own));
    for (const form of ['phone', 'desktop'] as const) {
      const file = join(folder, `${name}-${form}.json`);
      await audit(`${appUrl}${path}`, { port, file, form });
      const { categories, audits } = reportOf.parse(JSON.parse(await readFile(file, 'utf8')));
      const scores = ['performance', 'accessibility', 'best-practices', 'seo'].map((category) =>
        Math.round((categories[category]?.score ?? Number.NaN) * 100),
      );
      process.stdout.write(`| ${name} | ${form} | ${scores.join(' | ')} |\n`);
      const short = Object.entries(audits).filter(
        ([, { score }]) => typeof score === 'number' && score < 0.9,
      );
      for (const [id, { title }] of short) process.stderr.write(`  ${name} ${form}: ${id}: ${title}\n`);
    }
  }
}

async function audit(
  url: string,
  { port, file, form }: { readonly port: number; readonly file: string; readonly form: 'phone' | 'desktop' },
): Promise<void> {
  const options = [url, `--port=${port}`, '--output=json', `--output-path=${file}`, '--quiet'];
  // A signed-in page stays signed in, because storage isn't cleared.
  options.push('--disable-storage-reset');
  if (form === 'desktop') options.push('--preset=desktop');
  const child = spawn('npx', ['--yes', lighthouse, ...options], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`lighthouse ended with ${String(code)}`);
}

await main();
