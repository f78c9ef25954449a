import { join } from 'node:path';
import { Eta } from 'eta';
import { memoryLimits } from '../../platform/limits/limits.ts';
import { around } from '../../platform/limits/whose.ts';
import { packageFolder } from '../../platform/package.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ApiFamily } from './document.ts';

declare module '../../web/pages.ts' {
  interface Views {
    /** Markdown, whose headings become the guide pages of /docs (contract §7). */
    guide: {
      readonly apiUrl: string;
      readonly isPlain: boolean;
      readonly has: (part: string) => boolean;
      readonly versions: readonly (readonly [version: string, families: string])[];
      /** Two cells of a table: what one alone has, and all together. */
      readonly limits: Readonly<Record<'requests' | 'slots' | 'bookings', string>>;
    };
  }
}

const eta = new Eta({ views: join(packageFolder, 'views'), autoEscape: false, autoTrim: false });

export function writeGuide(
  { config, parts }: Pick<Platform, 'config' | 'parts'>,
  families: readonly ApiFamily[],
): string {
  const { appUrl, apiUrl } = config;
  const { requests, slots, bookings } = memoryLimits;
  return eta.render('guide', {
    appUrl,
    apiUrl,
    isPlain: appUrl.startsWith('http:'),
    has: (part: string) => parts.some(({ name, isOff }) => name === part && isOff !== true),
    versions: versionsOf(families),
    limits: { requests: cellsOf(requests), slots: cellsOf(slots), bookings: cellsOf(bookings) },
  });
}

function cellsOf({ max }: { readonly max: number }): string {
  return [max, max * around].map((number) => number.toLocaleString('en')).join(' | ');
}

function versionsOf(families: readonly ApiFamily[]): readonly (readonly [string, string])[] {
  const versions = [...new Set(families.flatMap(({ version }) => version ?? []))].toSorted();
  return versions.map((version) => {
    const names = families.filter((it) => it.version === version).map(({ name }) => name);
    const [first = '', ...others] = names;
    return [version, [first, ...others.map((name) => name.toLowerCase())].join(', ')];
  });
}
