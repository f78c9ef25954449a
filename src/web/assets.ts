import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import feather from '@iconify-json/feather/icons.json' with { type: 'json' };
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import Negotiator from 'negotiator';
import { packageFolder } from '../platform/package.ts';

const folder = join(packageFolder, 'views/assets');
const stylesFolder = join(packageFolder, 'views/styles');
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Files stay in memory, in less than 150 KB. Each layout gets its styles as one file. */
const assets = readAssets();
const addresses = new Map([...assets].map(([name, content]) => [name, contentAddress(name, content)]));

/** The address changes with the content, so browsers keep it for good. */
export function assetAddress(name: string): string {
  return addresses.get(name) ?? `/assets/${name}`;
}

export type IconName = keyof typeof feather.icons;

export function icon(name: IconName): string {
  return `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${feather.icons[name].body}</svg>`;
}

/** Here no session is looked up. No search engine should read the paths of `unlisted`. */
export const assetsPlugin = fp(
  async (
    app: FastifyInstance,
    { headers, unlisted }: { readonly headers: Record<string, string>; readonly unlisted: readonly string[] },
  ) => {
    const config = { limit: { noneBecause: 'it is in memory, and browsers keep it' } } as const;
    const keptForGood = { ...headers, 'cache-control': 'public, max-age=31536000, immutable' };
    for (const [name, content] of assets)
      app.get(`/assets/${name}`, { config }, async (request, reply) => {
        reply.headers(keptForGood).type(types[extname(name)] ?? '');
        const isCompressed = ['.png', '.woff2'].includes(extname(name));
        return isCompressed ? reply.send(content) : sendCompressed(request, reply, content);
      });
    const robots = ['User-agent: *', ...unlisted.map((path) => `Disallow: ${path}`), ''].join('\n');
    app.get('/robots.txt', { config }, async (_request, reply) =>
      reply.headers(headers).type('text/plain').send(robots),
    );
  },
  { name: 'assets', dependencies: ['platform'], encapsulate: true },
);

export const acceptsGzip = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  new Negotiator({ headers }).encoding(['gzip']) !== undefined;

const compressed = new WeakMap<Buffer, Buffer>();

/** Compresses a content once, when someone first asks for it: the start needn't wait. */
export function sendCompressed(request: FastifyRequest, reply: FastifyReply, content: Buffer): FastifyReply {
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip(request)) return reply.send(content);
  const kept = compressed.get(content) ?? gzipSync(content);
  compressed.set(content, kept);
  return reply.header('content-encoding', 'gzip').send(kept);
}

function readAssets(): Map<string, Buffer> {
  const read = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  const require = createRequire(import.meta.url);
  const fonts = dirname(require.resolve('@fontsource-variable/geist/package.json'));
  for (const subset of ['latin', 'latin-ext'])
    read.set(`geist-${subset}.woff2`, readFileSync(join(fonts, `files/geist-${subset}-wght-normal.woff2`)));
  for (const name of ['style.css', 'docs.css']) {
    const styles = readFileSync(join(stylesFolder, name), 'utf8')
      .replaceAll(/@import "(.+)";/g, (_import, part) => readFileSync(join(stylesFolder, part), 'utf8'))
      .replaceAll(/url\("(.+?)"\)/g, (_url, font) => `url("${contentAddress(font, read.get(font) ?? '')}")`);
    read.set(name, Buffer.from(styles));
  }
  return read;
}

export function contentAddress(name: string, content: string | Buffer): string {
  return `/assets/${name}?v=${createHash('sha256').update(content).digest('base64url').slice(0, 10)}`;
}
