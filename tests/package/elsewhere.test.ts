import { cp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'vitest';
import { bundleFor, environment, home, installBeside, patient, run } from './installed.ts';

const hasOthers = process.platform === 'linux' && process.arch === 'x64';

describe.runIf(hasOthers)('the installed package', async () => {
  const modules = await installBeside([
    '@deno/linux-x64-glibc@2.9.6',
    '@oven/bun-linux-x64@1.4.5',
    'miniflare@4.20260730.0',
  ]);
  const commands = {
    'Deno 2.9': [join(modules, '@deno/linux-x64-glibc/deno'), 'run', '--allow-all'],
    'Bun 1.4': [join(modules, '@oven/bun-linux-x64/bin/bun')],
  } as const;

  test.each(
    Object.entries(commands).flatMap(([name, command]) =>
      ['fetch-main', 'server', 'sqlite'].map((program) => [program, name, command] as const),
    ),
  )('runs with the program %s.mjs on %s', patient, async (program, _name, [file, ...args]) => {
    await run(file, [...args, `${program}.mjs`], { cwd: home, env: environment });
  });

  test('has a table of D1 that keeps what a store promises, and no race breaks it', patient, async () => {
    const place = dirname(modules);
    await cp(join(home, 'd1-host.mjs'), join(place, 'd1-host.mjs'));
    await writeFile(join(place, 'd1.js'), await bundleFor("export { default } from './d1.mjs';"));
    await run(process.execPath, ['d1-host.mjs', 'd1.js'], { cwd: place, env: environment });
  });
});
