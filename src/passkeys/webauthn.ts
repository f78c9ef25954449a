import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import type { Sentence } from '../platform/words.ts';
import type { Passkey } from './store.ts';

/** COSE has these numbers for ES256, EdDSA and RS256. */
const algorithms = [-7, -8, -257];
const timeout = 5 * 60 * 1000;
/** An RSA key of 4096 bits has 540 bytes. */
const maxKeyBytes = 1024;

/** The library takes longer to load than the rest of the start, so its first use loads it. */
const load = () => import('@simplewebauthn/server');

/** WebAuthn's origin and RP ID come from the configuration alone. */
interface Site {
  readonly appUrl: string;
}
const rpIdOf = ({ appUrl }: Site): string => new URL(appUrl).hostname;

/** Apps learn this number anyway. */
export const userHandleOf = (userId: number): string => Buffer.from(String(userId)).toString('base64url');

export function creationOptions(
  site: Site & { readonly brand: { readonly name: string } },
  person: { readonly id: number; readonly email: string; readonly name: string },
  challenge: string,
  existing: readonly Pick<Passkey, 'id'>[],
): PublicKeyCredentialCreationOptionsJSON {
  return {
    rp: { id: rpIdOf(site), name: site.brand.name },
    user: { id: userHandleOf(person.id), name: person.email, displayName: person.name },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout,
    attestation: 'none',
    excludeCredentials: describe(existing),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  };
}

/** Without `allowed`, the browser offers all its passkeys for this site. */
export function requestOptions(
  site: Site,
  challenge: string,
  userVerification: 'required' | 'preferred',
  allowed: readonly Pick<Passkey, 'id'>[],
): PublicKeyCredentialRequestOptionsJSON {
  return { rpId: rpIdOf(site), challenge, timeout, userVerification, allowCredentials: describe(allowed) };
}

function describe(existing: readonly Pick<Passkey, 'id'>[]) {
  return existing.map(({ id }) => ({ type: 'public-key', id }) as const);
}

const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/);
const credentialFields = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key'),
  clientExtensionResults: z
    .unknown()
    .optional()
    .transform(() => ({})),
};

function credentialOf<Response extends z.ZodType>(response: Response) {
  const words: Sentence = 'Your browser didn’t send a passkey. Try again.';
  return z
    .string({ error: words })
    .max(24_000, { error: words })
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue(words);
        return z.NEVER;
      }
    })
    .pipe(z.object({ ...credentialFields, response }, { error: words }));
}

/** A browser creates this JSON (WebAuthn Level 3 §5.1.8). */
export const createdCredential = credentialOf(
  z.object({ clientDataJSON: bytes(4000), attestationObject: bytes(12_000) }),
);
export const assertedCredential = credentialOf(
  z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(2000),
    userHandle: bytes(100).optional(),
  }),
);
export type AssertedCredential = z.output<typeof assertedCredential>;

/** Drops attestations unread: checking them would ask foreign addresses (WebAuthn Level 3 §7.1). */
export async function readNewPasskey(
  site: Site,
  credential: z.output<typeof createdCredential>,
  challenge: string,
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter'> | undefined> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoCBOR }] = await Promise.all([
    load(),
    import('@simplewebauthn/server/helpers'),
  ]);
  try {
    const { clientDataJSON, attestationObject } = credential.response;
    const authData = decodeAttestationObject(Buffer.from(attestationObject, 'base64url')).get('authData');
    const parts = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authData],
    ]);
    const unattested = Buffer.from(isoCBOR.encode(parts)).toString('base64url');
    const response = { ...credential, response: { clientDataJSON, attestationObject: unattested } };
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.appUrl,
      expectedRPID: rpIdOf(site),
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    if (registrationInfo === undefined || registrationInfo.credential.publicKey.length > maxKeyBytes)
      return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
  } catch {
    return undefined;
  }
}

/** Returns the counter of a genuine answer; undefined for any other (WebAuthn Level 3 §7.2). */
export async function readCounter(
  site: Site,
  { response: { userHandle: _userHandle, ...signed }, ...credential }: AssertedCredential,
  { id, publicKey }: Pick<Passkey, 'id' | 'publicKey'>,
  expected: { readonly challenge: string; readonly isUserVerified: boolean },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await load();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, response: signed },
      expectedChallenge: expected.challenge,
      expectedOrigin: site.appUrl,
      expectedRPID: rpIdOf(site),
      requireUserVerification: expected.isUserVerified, // protects: C75
      // The counter is compared when it's stored, so that only a genuine answer can lower it, and
      // once.
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: -1 },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
