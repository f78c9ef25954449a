import { BROWSER_MAP, OS_MAP, parse } from 'bowser';

const knownBrowsers: ReadonlySet<string> = new Set(Object.values(BROWSER_MAP));
const knownSystems: ReadonlySet<string> = new Set(Object.values(OS_MAP));
const longestUserAgent = 300;

/** What a browser says of itself, as a session keeps it: shortened, without control characters; null when it says nothing. */
export function keptUserAgent(header: string | undefined): string | null {
  const kept = (header ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, longestUserAgent);
  return kept === '' ? null : kept;
}

/**
 * A browser in words, as in `Firefox on Windows`. Only names from a list are said: whoever has found out a password must not
 * put words of their own into the letter about it.
 */
export function describeBrowser(userAgent: string | null): string {
  const { browser, os } = userAgent === null ? { browser: {}, os: {} } : parse(userAgent);
  const browserName = knownOne(browser.name, knownBrowsers) ?? 'An unknown browser';
  const systemName = knownOne(os.name, knownSystems);
  return systemName === undefined ? browserName : `${browserName} on ${systemName}`;
}

function knownOne(name: string | undefined, known: ReadonlySet<string>): string | undefined {
  return name !== undefined && known.has(name) ? name : undefined;
}
