import { isDocumentId } from './document-id.ts';

export function initialOf(name: string): string {
  const [first = '•'] = name.match(/[\p{L}\p{N}\p{S}]/gu) ?? [];
  return first.toUpperCase();
}

interface Hosted {
  readonly id: string;
  readonly websiteUrl: string | null;
}

/** The address of a metadata document is proven, so it comes before the website. */
export function hostOfWebsite({ id, websiteUrl }: Hosted): string | undefined {
  if (isDocumentId(id)) return new URL(id).host;
  return websiteUrl === null ? undefined : new URL(websiteUrl).host;
}

export function hostOfApp(client: Hosted, redirectUri: string | undefined): string | undefined {
  const host = hostOfWebsite(client);
  if (host !== undefined) return host;
  return redirectUri === undefined || isOnDevice(redirectUri) ? undefined : new URL(redirectUri).host;
}

/** Loopback and private-use schemes stay on the device (contract §2). */
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
