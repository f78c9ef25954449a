/**
 * Where an app is at home, as its reviewers have seen it: the host of its website, else of the address that people are sent to. Undefined
 * for an app without either, which runs on its user's own device.
 */
export function hostOfApp(websiteUrl: string | null, redirectUri: string | undefined): string | undefined {
  if (websiteUrl !== null) return new URL(websiteUrl).host;
  return redirectUri === undefined || isOnDevice(redirectUri) ? undefined : new URL(redirectUri).host;
}

/** Whether a registered redirect URI leads to the user's own device: http on loopback, or a private-use scheme (contract §2). */
export function isOnDevice(redirectUri: string): boolean {
  return new URL(redirectUri).protocol !== 'https:';
}
