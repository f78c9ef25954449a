import type { ClientType } from '../core/client.ts';

/** What a client's type means, for owners and reviewers alike. */
export const typeWords = {
  confidential: 'Confidential: it runs on a server',
  public: 'Public: it runs on people’s devices',
} as const satisfies Record<ClientType, string>;
