import type { ScopeArea } from '../oauth/permissions.ts';

declare module '../oauth/permissions.ts' {
  interface ApiScopes {
    readonly WEBHOOK_READ: true;
    readonly WEBHOOK_WRITE: true;
  }
}

export const webhookScopes = {
  title: 'Webhooks',
  icon: 'send',
  place: 50,
  read: {
    name: 'WEBHOOK_READ',
    words: 'See your webhooks, and what was sent to them',
    ofTeam: 'See the webhooks of the team, and what was sent to them',
    limit: 'See or change your webhooks',
  },
  write: {
    name: 'WEBHOOK_WRITE',
    words: 'See, create, change and delete your webhooks, which send your bookings to other services',
    ofTeam: 'See, create, change and delete webhooks of the team, which send its bookings to other services',
    limit: 'Create, change or delete webhooks',
  },
  firstCall: '/v2/webhooks',
} as const satisfies ScopeArea;
