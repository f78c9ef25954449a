import type { RootSecret } from '../../io/root-secret.ts';

/**
 * The client_id that a person's form registers: a MAC of who sends which form, so that a form that is sent twice names the same client twice, and
 * the database's primary key decides which one registers it; it is as good as random to everybody without SECRET (contract §2).
 */
export function deriveClientId(rootSecret: RootSecret, ownerId: number, formId: string): string {
  const form = Buffer.from(`${ownerId}:${formId}`);
  return Buffer.from(rootSecret.mac('client-id', form)).subarray(0, 16).toString('hex');
}

/**
 * The id, a UUID, of the letter that tells an owner of a client's deletion. It outlives the client, so that a form which registered it can be told
 * from a new one, and its client_id is not used again (contract §2).
 */
export function deletionNoticeId(clientId: string): string {
  return clientId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
