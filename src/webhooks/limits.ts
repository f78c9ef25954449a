import { memoryLimits } from '../platform/rate-limits/limit.ts';

export const webhookLimits = memoryLimits({
  // Each test and resend makes us ask another server.
  byHand: ['webhook_by_hand', 20, 'an account', 'tests and resends of webhooks'],
});

const events = 'requests with events';
const past = 'then events wait';
export const hostLimits = memoryLimits({
  hosts: ['webhook_host', 600, 'a host name', events, { past }],
  ownHosts: ['webhook_own_host', 120, 'an account and a host name', events, { past }],
});
