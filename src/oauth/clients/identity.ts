import type { RootSecret } from '../../io/root-secret.ts';
import { clientSecretBytes, formatClientSecret } from '../core/secret.ts';

/** What a registration form makes, however often it is sent. */
export interface DerivedIdentity {
  readonly clientId: string;
  readonly secret: string;
}

/**
 * The client that a person's form registers. Both values are MACs of who sends which form, so that a form that is sent twice names the same
 * client twice, and the database's primary key decides which one registers it; and they are as good as random to everybody without SECRET
 * (contract §2).
 */
export function deriveIdentity(rootSecret: RootSecret, ownerId: number, formId: string): DerivedIdentity {
  const form = Buffer.from(`${ownerId}:${formId}`);
  return {
    clientId: Buffer.from(rootSecret.mac('client-id', form)).subarray(0, 16).toString('hex'),
    secret: formatClientSecret(rootSecret.mac('client-secret', form).subarray(0, clientSecretBytes)),
  };
}

/**
 * The id, a UUID, of the letter that tells an owner of a client's deletion. It outlives the client, so that a form which registered it can be told
 * from a new one, and its client_id is not used again (contract §2).
 */
export function deletionNoticeId(clientId: string): string {
  return clientId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
