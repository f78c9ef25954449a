import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { Eta } from 'eta';

/** Turns each template into a function, line for line, so that the compiler names its faulty lines. */
const root = join(import.meta.dirname, '..');
const folder = join(root, 'node_modules/.cache/views');
const eta = new Eta({ autoTrim: false });

const declarations = `import type { PageContext, Viewer, Views } from '${relative(folder, join(root, 'src/web/pages.ts'))}';
type Part<Name> = Name extends \`/\${infer View extends keyof Views}\` ? Views[View] : never;
export declare function include<const Name extends \`/\${keyof Views}\`>(name: Name, data: Omit<Part<Name>, keyof PageContext>): string;
export declare function layout<const Name extends '/layout' | '/settings'>(name: Name, data?: Partial<Part<Name>>): void;
export declare function write(value: string | number): void;
/** Users who see settings are signed in. */
export type Data<Name extends keyof Views, HasViewer> = Views[Name] &
  Omit<PageContext, 'viewer'> & { readonly viewer: HasViewer extends true ? Viewer : Viewer | undefined };
`;

function toFunction(name: string, template: string): string {
  const hasViewer = /layout\('\/settings'/.test(template) || name === 'settings';
  const body = eta.parse(template).map((part) => {
    if (typeof part === 'string')
      return part.replaceAll(/\\n|[^\n]/g, (text) => (text === '\\n' ? '\n' : ''));
    if (part.t === 'e') return `${part.val};`;
    return `write(${part.val});`;
  });
  const head = `import { type Data, include, layout, write } from '${'../'.repeat(name.split('/').length - 1) || './'}declarations.ts';`;
  return `${head} void include; void layout; void write; export function view(it: Data<'${name}', ${hasViewer}>): void { void it; ${body.join('')} }\n`;
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'declarations.ts'), declarations);
for (const path of globSync('**/*.eta', { cwd: import.meta.dirname })) {
  const name = path.replaceAll(sep, '/').replace(/\.eta$/, '');
  const file = join(folder, `${name}.ts`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, toFunction(name, readFileSync(join(import.meta.dirname, path), 'utf8')));
}
const compilerOptions = { incremental: false };
const config = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions,
  include: [join(root, 'src'), folder],
  exclude: ['**/*.edge.d.ts'].map((glob) => join(root, glob)),
};
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
// Several threads, and a collector of garbage that runs early, would take twice the time of the processor.
const { stdout, status } = spawnSync(
  join(root, 'node_modules/.bin/tsc'),
  ['-p', folder, '--pretty', 'false', '--singleThreaded'],
  { encoding: 'utf8', env: { ...process.env, GOGC: '400' } },
);
process.stdout.write(stdout.replaceAll(/^.*\.cache\/views\/(.*)\.ts\(/gm, 'views/$1.eta('));
process.exitCode = status ?? 1;
