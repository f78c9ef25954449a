/** Shown for a client without a logo: the first visible character of its name, or a dot. */
export function initialOf(name: string): string {
  const [first = '•'] = name.match(/[\p{L}\p{N}\p{S}]/gu) ?? [];
  return first.toUpperCase();
}

/** Of its website, or else of its redirect URI; undefined where that is on the device. */
export function hostOfApp(websiteUrl: string | null, redirectUri: string | undefined): string | undefined {
  if (websiteUrl !== null) return new URL(websiteUrl).host;
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
