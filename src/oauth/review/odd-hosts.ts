import { domainToUnicode } from 'node:url';
import { getDomain, parse } from 'tldts';

const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The addresses that can be read; a registered address always can. */
function urlsOf(addresses: readonly string[]): readonly URL[] {
  return addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address));
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:';
const isLoopback = ({ hostname }: URL): boolean => loopbackHosts.includes(hostname);

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** The hosts that are numbers, but for the person's own machine. */
export function numericHosts(addresses: readonly string[]): readonly string[] {
  const urls = urlsOf(addresses).filter((url) => isWeb(url) && !isLoopback(url));
  return distinct(urls.filter(({ hostname }) => parse(hostname).isIp === true).map(({ host }) => host));
}

/**
 * The hosts that are written in punycode (RFC 5891), as people would read them, beside what is
 * registered.
 */
export function encodedHosts(addresses: readonly string[]): readonly string[] {
  const hosts = urlsOf(addresses).map(({ hostname }) => hostname);
  const encoded = hosts.filter((host) => /(^|\.)xn--/i.test(host));
  return distinct(encoded.map(withDecoded));
}

function withDecoded(host: string): string {
  const decoded = domainToUnicode(host);
  return decoded === '' || decoded === host ? host : `${decoded} (${host})`;
}

/** The hosts that name a port, but for the person's own machine. */
export function portedHosts(addresses: readonly string[]): readonly string[] {
  const urls = urlsOf(addresses).filter((url) => isWeb(url) && !isLoopback(url) && url.port !== '');
  return distinct(urls.map(({ host }) => host));
}

/** The addresses on the person's own machine over plain http. */
export function plainLoopbacks(addresses: readonly string[]): readonly string[] {
  return addresses.filter((address) =>
    urlsOf([address]).some((url) => url.protocol === 'http:' && isLoopback(url)),
  );
}

/** The private-use schemes (RFC 8252 §7.1). */
export function privateSchemes(addresses: readonly string[]): readonly string[] {
  return distinct(urlsOf(addresses).flatMap((url) => (isWeb(url) ? [] : [url.protocol])));
}

/** The hosts to which people are sent on other registrable domains than the website's. */
export function hostsElsewhere(website: string, addresses: readonly string[]): readonly string[] {
  const [home] = urlsOf([website]);
  if (home === undefined) return [];
  const urls = urlsOf(addresses).filter((url) => isWeb(url) && !isLoopback(url));
  return distinct(
    urls
      .map(({ hostname }) => hostname)
      .filter((host) => registrableDomain(host) !== registrableDomain(home.hostname)),
  );
}

/**
 * With the private part of the public suffix list: two people's pages at one hoster are not one
 * domain. A host without a domain stands for itself.
 */
function registrableDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
