import { isDocumentId } from './client-id.ts';

/** Shown for a client without a logo: the first visible character of its name, or a dot. */
export function initialOf(name: string): string {
  const [first = '•'] = name.match(/[\p{L}\p{N}\p{S}]/gu) ?? [];
  return first.toUpperCase();
}

interface Hosted {
  readonly id: string;
  readonly websiteUrl: string | null;
}

/** Of its metadata document, which alone is proven, or of its website. */
export function hostOfWebsite({ id, websiteUrl }: Hosted): string | undefined {
  if (isDocumentId(id)) return new URL(id).host;
  return websiteUrl === null ? undefined : new URL(websiteUrl).host;
}

/** Or else of its redirect URI; undefined where that is on the device. */
export function hostOfApp(client: Hosted, redirectUri: string | undefined): string | undefined {
  const host = hostOfWebsite(client);
  if (host !== undefined) return host;
  return redirectUri === undefined || isOnDevice(redirectUri) ? undefined : new URL(redirectUri).host;
}

/** Loopback or a private-use scheme (contract §2). */
export function isOnDevice(redirectUri: string): boolean {
  return new URL(redirectUri).protocol !== 'https:';
}

declare module '../web/pages.ts' {
  interface Views {
    'oauth/app-logo': {
      readonly logoId: string | null;
      readonly initial?: string;
      readonly alt?: string;
      readonly isSmall?: boolean;
    };
  }
}
