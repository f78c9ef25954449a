import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

/** What `chromium.launch` of Playwright needs to know. */
export interface Chromium {
  readonly executablePath: string;
  /** The environment it runs in. */
  readonly env: NodeJS.ProcessEnv;
}

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const cache = join(import.meta.dirname, '../../node_modules/.cache');
const installedPath = '/usr/bin/chromium';

/**
 * The program at CHROMIUM_PATH where it is set, else the npm package's on Linux x64, else the
 * installed one.
 *
 * @throws when there is none: a journey is never left out in silence
 */
export async function findChromium(): Promise<Chromium> {
  const configured = process.env['CHROMIUM_PATH'];
  if (configured !== undefined && configured !== '') return installedAt(configured);
  if (process.platform === 'linux' && process.arch === 'x64') return findPackaged();
  return installedAt(installedPath);
}

function installedAt(executablePath: string): Chromium {
  try {
    accessSync(executablePath, constants.X_OK);
  } catch {
    throw new Error(`no Chromium at ${executablePath}: set CHROMIUM_PATH to its program`);
  }
  return { executablePath, env: process.env };
}

/** Unpacked once, and used by every later run. */
async function findPackaged(): Promise<Chromium> {
  const folder = join(cache, `chromium-${readVersion()}`);
  if (!existsSync(folder)) await unpack(folder);
  await correctFonts(folder);
  const libraries = [join(folder, 'al2023/lib'), process.env['LD_LIBRARY_PATH']];
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: libraries.filter((path) => path !== undefined).join(':'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  };
}

function readVersion(): string {
  const entry = resolve('@sparticuz/chromium');
  const described: unknown = JSON.parse(readFileSync(join(entry, '../../package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(described).version;
}

/** Workers may do this at the same time: the folder appears whole, and the first one stays. */
async function unpack(folder: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const making = await mkdtemp(`${folder}-`);
  try {
    const program = join(import.meta.dirname, 'unpack-chromium-process.ts');
    // The package unpacks into the folder for temporary files, wherever that is.
    await run(process.execPath, [program], { env: { ...process.env, TMPDIR: making } });
    await writeFile(join(making, 'fonts.conf'), describeFonts(folder));
    await rename(making, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** The file's paths are absolute, and a checkout may have been moved or copied since. */
async function correctFonts(folder: string): Promise<void> {
  const path = join(folder, 'fonts.conf');
  const wanted = describeFonts(folder);
  if (readFileSync(path, 'utf8') === wanted) return;
  const correct = `${path}-${process.pid}`;
  await writeFile(correct, wanted);
  await rename(correct, path);
}

/** These fonts alone, so that a page is laid out alike on every machine. */
function describeFonts(folder: string): string {
  const dejavu = dirname(resolve('dejavu-fonts-ttf/package.json'));
  const prefer = (family: string, font: string): string =>
    `<alias><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>${join(dejavu, 'ttf')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
  ${prefer('sans-serif', 'Open Sans')}
  ${prefer('system-ui', 'Open Sans')}
  ${prefer('monospace', 'DejaVu Sans Mono')}
</fontconfig>
`;
}
