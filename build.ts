import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { postgresPlugin } from './patches/postgres.ts';
import { makeReader } from './src/api/docs/reader.ts';
import { readConfig } from './src/config.ts';
import { chooseParts } from './src/parts.ts';
import { version } from './src/platform/package.ts';
import { templateInPackages, templateName } from './src/platform/template-database.ts';
import { explainStartFault, probePorts } from './src/start-fault.ts';

/** Bundled CommonJS packages still call `require` for Node's own modules. */
const requireBanner =
  "import{createRequire as createBundleRequire}from'node:module';const require=createBundleRequire(import.meta.url);";

const scriptBanner =
  "(function(require,__filename,__dirname){const __url=require('node:url').pathToFileURL(__filename).href,module={};";

const threads = { 'ics-worker': 'src/scheduling/ics/worker.ts' };

/** The bundle doesn't have these, but they ship with it. */
const besides = [
  'node_modules/@scalar/fastify-api-reference',
  'node_modules/@scalar/client-side-rendering',
  'node_modules/@electric-sql/pglite',
  'node_modules/@electric-sql/pglite-prepopulatedfs',
  'node_modules/@fontsource-variable/geist',
];

/** Fastify and its OpenAPI plugin load these for features that nobody uses here. */
const unusedPlugin: Plugin = {
  name: 'unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:http2|yaml)$/ }, ({ path, importer }) =>
      importer.includes('fastify') ? { path, namespace: 'unused' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Every message that a person reads has words of ours, so zod's in other languages aren't needed. */
const englishPlugin: Plugin = {
  name: 'english',
  setup({ onLoad }) {
    onLoad({ filter: /\/zod\/v4\/locales\/[\w-]+\.js$/ }, ({ path }) =>
      /\/(?:index|en)\.js$/.test(path) ? undefined : { contents: 'export default () => {};' },
    );
  },
};

/** These share no module with the rest, so two of one can't meet. */
const loadedLater =
  /^(?:undici|nodemailer|prom-client|@(?:zxcvbn-ts|simplewebauthn|modelcontextprotocol)\/.*|.*\.json)$/;

/**
 * What the program imports when it is first asked for is a file of its own: a process keeps the text of
 * its program, and of these what it has used.
 */
function collectLater(folder: string) {
  const resolved = Symbol('resolved');
  const found = new Map<string, string>();
  const plugin: Plugin = {
    name: 'later',
    setup({ onResolve, resolve }) {
      onResolve({ filter: loadedLater }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === resolved) return undefined;
        const { path: file } = await resolve(path, { kind, resolveDir, pluginData: resolved });
        const name = path
          .replace(/^[@./]+/, '')
          .replaceAll('/', '-')
          .replace(/(?<!\.json)$/, '.cjs');
        found.set(name, file);
        return { path: `./later/${name}`, external: true };
      });
    },
  };
  return {
    plugin,
    /** Bundles what was found beside the program. */
    async write(): Promise<Modules> {
      const programs = [...found].filter(([name]) => name.endsWith('.cjs'));
      const outdir = join(folder, 'later');
      const { metafile } = await build({
        ...common,
        ...{ metafile: true, outdir, format: 'cjs', outExtension: { '.js': '.cjs' } },
        plugins: [englishPlugin],
        entryPoints: programs.map(([name, file]) => ({ in: file, out: name.slice(0, -'.cjs'.length) })),
      });
      for (const [name, file] of found) if (!name.endsWith('.cjs')) await copyFile(file, join(outdir, name));
      return metafile.inputs;
    },
  };
}

/** The lines of other parts go, as a person would delete them (ADR 18). */
function partsPlugin(parts: string): Plugin {
  const names = chooseParts(parts).map(({ name }) => `'${name}'`);
  const isKept = (line: string): boolean =>
    !line.includes('{ name:') || names.some((name) => line.includes(`name: ${name}`));
  return {
    name: 'parts',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/parts\.ts$/ }, async ({ path }) => {
        const lines = (await readFile(path, 'utf8')).split('\n');
        return { loader: 'ts', contents: lines.filter(isKept).join('\n') };
      });
    },
  };
}

const nodeVersion = 24;

const common = {
  absWorkingDir: import.meta.dirname,
  bundle: true,
  platform: 'node',
  target: `node${nodeVersion}`,
  minifySyntax: true,
  // The process keeps this text. Names stay, and lines stay short enough for stack traces.
  minifyWhitespace: true,
  lineLimit: 160,
  sourcemap: true,
  sourcesContent: false,
  // PGlite finds its WebAssembly beside itself, and only sources import reader.ts.
  external: ['@electric-sql/pglite', join(import.meta.dirname, 'src/api/docs/reader.ts')],
  plugins: [postgresPlugin],
} satisfies BuildOptions;

/** V8 keeps compiled functions for scripts alone. The first start that ends writes what it has compiled. */
const launcher = `#!/usr/bin/env node
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
if (Number.parseInt(process.versions.node) < ${nodeVersion}) {
  process.stderr.write('Latchkey needs Node.js ${nodeVersion} or newer, and this is ' + process.versions.node + '. Run: npx latchkey-server\\n');
  process.exit(1);
}
const filename = import.meta.dirname + '/service.cjs';
const compiled = import.meta.dirname + '/service.compiled';
const readCompiled = () => {
  try {
    return readFileSync(compiled);
  } catch {}
};
// V8 copies what it reads, so nothing of this module keeps the file.
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: readCompiled() });
// Until it listens: what a start makes lives on, so a larger young generation would only copy it.
if (process.argv.length === 2) setFlagsFromString('--semi-space-growth-factor=1');
if (script.cachedDataRejected !== false && process.argv.length === 2) {
  setFlagsFromString('--no-flush-bytecode');
  process.once('exit', () => {
    try {
      // V8 reads none that was written under other flags; the second is the embedded database's,
      // the third that of a start which ended before it listened.
      for (const flag of ['--flush-bytecode', '--wasm-tier-up-filter=-1', '--semi-space-growth-factor=2'])
        setFlagsFromString(flag);
      writeFileSync(compiled + process.pid, script.createCachedData(), { flag: 'wx' });
      renameSync(compiled + process.pid, compiled);
    } catch {}
  });
}
script.runInThisContext()(createRequire(filename), filename, import.meta.dirname);
`;

/** Bundles programs into a folder, as ES modules, and returns what each imports. */
export async function bundle(
  folder: string,
  entryPoints: Readonly<Record<string, string>>,
): Promise<Modules> {
  const banner = { js: requireBanner };
  const { metafile } = await build({
    ...common,
    metafile: true,
    entryPoints,
    outdir: folder,
    format: 'esm',
    banner,
  });
  return metafile.inputs;
}

export type Modules = Metafile['inputs'];

/** Bundles the service with the parts that `PARTS` would choose, into a folder that is emptied first. */
export async function bundleService(folder: string, parts = 'all'): Promise<Modules> {
  await rm(folder, { recursive: true, force: true });
  const inThreads = await bundle(folder, threads);
  const outfile = join(folder, 'service.cjs');
  const later = collectLater(folder);
  const { metafile } = await build({
    ...common,
    metafile: true,
    entryPoints: ['src/server.ts'],
    outfile,
    format: 'cjs',
    plugins: [postgresPlugin, unusedPlugin, englishPlugin, later.plugin, partsPlugin(parts)],
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': '__dirname', 'import.meta.url': '__url' },
    banner: { js: scriptBanner },
    footer: { js: '})' },
  });
  const modules = { ...metafile.inputs, ...(await later.write()) };
  // The launcher reads ASCII, which is twice as fast and takes half the memory. In regular
  // expressions, esbuild escapes nothing.
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const written = await readFile(outfile, 'utf8');
  await writeFile(outfile, written.replaceAll(/[\u0080-\uffff]/g, escaped));
  await writeFile(join(folder, 'server.js'), launcher, { mode: 0o755 });
  await writeFile(join(folder, 'reader.js.gz'), await makeReader());
  await copyFile(templateInPackages, join(folder, templateName));
  const packaged = await packagesOf([...Object.keys({ ...inThreads, ...modules }), ...besides]);
  await writeFile(join(folder, 'NOTICES.txt'), noticesOf(packaged));
  await writeFile(join(folder, 'sbom.cdx.json'), JSON.stringify(billOf(packaged)));
  return modules;
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly texts: readonly string[];
}

async function packagesOf(paths: readonly string[]): Promise<readonly Package[]> {
  const folders = paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const packages = [...new Set(folders)].map(async (path) => {
    const folder = join(import.meta.dirname, path);
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const texts = await Promise.all(files.toSorted().map((file) => readFile(join(folder, file), 'utf8')));
    return { name, version, license, texts };
  });
  return (await Promise.all(packages)).toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

function noticesOf(packages: readonly Package[]): string {
  const notices = packages.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n'),
  );
  return `Latchkey (MIT) runs with these packages.\n\n${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** Scanners read this format (CycloneDX 1.6). */
function billOf(packages: readonly Package[]) {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'latchkey', version } },
    components: packages.map(({ name, version, license }) => ({
      ...{ type: 'library', 'bom-ref': `${name}@${version}`, name, version },
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      licenses: [{ license: { id: license } }],
    })),
  };
}

/** What readers of the package don't have isn't cited there; RFCs stay. */
const publicComments = (text: string): string =>
  text
    .replaceAll(/^\s*\/\/ protects: .*\n| *\/\/ protects: .*/gm, '')
    .replaceAll(/,? ?\b(?:(?:contract|architecture) §[\d.]+|security C\d+|ADR \d+)/g, '\0')
    .replaceAll(/ ?\(\0+\)/g, '')
    .replaceAll(/\0(?:, )?/g, '');

/**
 * Puts the library together, as npm packs it: a module for each import and what they share, their
 * types, and a manifest of its own (ADR 17).
 */
export async function assembleLibrary(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const compiler = join(import.meta.dirname, 'node_modules/typescript/bin/tsc');
  const project = ['-p', join(import.meta.dirname, 'library'), '--outDir', folder];
  const [code] = await once(spawn(process.execPath, [compiler, ...project], { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`the library was not compiled: ${code}`);
  const manifest = await readFile(join(import.meta.dirname, 'library/package.json'), 'utf8');
  const listed = (condition: string) =>
    [...manifest.matchAll(/"(\w+)": "\.\/(oauth\/[^"]+)"/g)].flatMap(([, name, path = '']) =>
      name === condition ? [path] : [],
    );
  const { metafile } = await build({
    ...{
      absWorkingDir: resolve(folder),
      entryPoints: listed('default'),
      outdir: '.',
      outbase: '.',
      allowOverwrite: true,
    },
    ...{ bundle: true, splitting: true, chunkNames: 'oauth/[hash]', packages: 'external', metafile: true },
    ...{ format: 'esm', platform: 'neutral', target: 'es2022', minifySyntax: true },
  });
  const kept = new Set([
    ...Object.keys(metafile.outputs),
    ...(await reachableTypes(folder, listed('types'))),
  ]);
  for (const file of await readdir(folder, { recursive: true })) {
    if (!/\.[jt]s$/.test(file)) continue;
    const path = join(folder, file);
    if (kept.has(file)) await writeFile(path, publicComments(await readFile(path, 'utf8')));
    else await rm(path);
  }
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md'])
    await copyFile(join(import.meta.dirname, 'library', name), join(folder, name));
  await cp(join(import.meta.dirname, 'library/docs'), join(folder, 'docs'), { recursive: true });
  await copyFile(join(import.meta.dirname, 'LICENSE'), join(folder, 'LICENSE'));
}

/** Types of modules that no public type leads to aren't published. */
async function reachableTypes(folder: string, entries: readonly string[]): Promise<ReadonlySet<string>> {
  const reached = new Set(entries);
  for (const file of reached) {
    const text = await readFile(join(folder, file), 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from |import\()'(\.[^']+)'/g))
      reached.add(join(file, '..', path).replace(/\.[jt]s$/, '.d.ts'));
  }
  return reached;
}

/** Starts the service once on an embedded database, so that no later start compiles the same again. */
export async function compileService(folder: string): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'latchkey-build-'));
  try {
    const env = { PATH: process.env['PATH'], DATA_DIR: data, PORT: '0', APP_URL: 'http://localhost:3000' };
    const service = spawn(process.execPath, [join(folder, 'server.js')], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(service, 'exit');
    let output = '';
    for await (const text of service.stdout) {
      output += text;
      const [, address] = /listens on (http:[^; \n]+)/.exec(output) ?? [];
      if (address === undefined || service.killed) continue;
      await fetch(`${address}/readyz`);
      service.kill();
    }
    const [code] = await ended;
    if (code !== 0) throw new Error(`the service ended with ${code}: ${output}`);
    // The image runs as another user than the one who builds it.
    await chmod(join(folder, 'service.compiled'), 0o644);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

if (import.meta.main && process.argv.includes('--library')) await assembleLibrary('dist/library');
else if (import.meta.main) await buildService();

async function buildService(): Promise<void> {
  const { PARTS } = process.env;
  try {
    chooseParts(PARTS);
    // `npm start` ends before the build where the start would end after it.
    if (process.argv.includes('--start')) {
      process.stderr.write('Building…\n');
      await probePorts(readConfig(process.env));
    }
  } catch (error) {
    process.stderr.write(`${explainStartFault(error, process.env)}\n`);
    process.exit(1);
  }
  await bundleService('dist', PARTS);
  if (process.argv.includes('--compile')) await compileService('dist');
}
