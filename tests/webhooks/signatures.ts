import { createHmac } from 'node:crypto';
import type { ReceivedEvent } from '../support/subscriber.ts';

/** A subscriber verifies signatures in this way; the code isn't the one that signs (contract §8). */
export function signaturesOf({ headers, text }: ReceivedEvent, secret: string) {
  const calCom = createHmac('sha256', Buffer.from(secret, 'utf8')).update(text, 'utf8').digest('hex');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], text].join('.');
  return { calCom, standard: `v1,${createHmac('sha256', key).update(signed).digest('base64')}` };
}
