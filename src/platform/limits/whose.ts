import type { FastifyRequest } from 'fastify';
import { clientAddressOf, networkOf, wideNetworkOf } from '../networks.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose request it is, once that is known; until then it's the network's. */
    whose: Whose | undefined;
  }
}

/** A key counts for itself and for those around it, which may reach so many times the limit. */
export type Whose = readonly (readonly [key: string, times: number])[];

/** One alone takes a quarter at most of what all around it have, wherever they share a limit. */
export const around = 4;

/** An IPv6 /48 may be one customer's (security C41). */
export function whoseNetwork(address: string): Whose {
  const wide = wideNetworkOf(address);
  const own = [networkOf(address), 1] as const;
  return wide === undefined ? [own] : [own, [wide, around]];
}

export function whoseOf(request: FastifyRequest): Whose {
  return request.whose ?? whoseNetwork(clientAddressOf(request));
}
