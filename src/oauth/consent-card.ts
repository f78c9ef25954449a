import type { Sentence } from '../platform/words.ts';
import { hostOfWebsite, initialOf, isOnDevice } from './app-identity.ts';
import { hostOfRedirectUri, type RegisteredRedirectUri } from './core/redirect-uri.ts';
import type { AccountKind, Permission } from './permissions.ts';

declare module '../web/pages.ts' {
  interface Views {
    'oauth/consent-app': ReturnType<typeof describeApp> & {
      readonly isOnlySignIn: boolean;
      readonly approvedAt?: Date | undefined;
      readonly asksForMore?: boolean;
      /** A page that has a headline of its own shows it as another one's. */
      readonly isPreview?: boolean;
    };
    'oauth/consent-access': {
      readonly clientName: string;
      readonly accounts: readonly AccessOfAccount[];
      readonly resources?: string | undefined;
      readonly isPreview?: boolean;
    };
    'oauth/consent-destination': ReturnType<typeof describeDestination>;
  }
}

interface AccessOfAccount {
  readonly kind: AccountKind;
  readonly permissions: readonly Permission[];
  readonly includes: readonly string[];
  readonly limits: readonly Sentence[];
}

interface ShownApp {
  readonly id: string;
  readonly name: string;
  readonly logoId: string | null;
  readonly websiteUrl: string | null;
}

/** What the consent page says of an app, and the form of the app beforehand. */
export function describeApp(client: ShownApp) {
  const { name: clientName, logoId } = client;
  return { clientName, logoId, initial: initialOf(clientName), websiteHost: hostOfWebsite(client) };
}

export function describeDestination(redirectUri: RegisteredRedirectUri) {
  return {
    destinationHost: hostOfRedirectUri(redirectUri),
    isOnDevice: isOnDevice(redirectUri),
    /** Any program on the device may listen there. */
    isLoopback: new URL(redirectUri).protocol === 'http:',
  };
}
