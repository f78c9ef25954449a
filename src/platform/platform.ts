import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';
import type { Db } from './database.ts';
import type { Runtime } from './runtime.ts';
import type { Secrets } from './secrets.ts';

export interface Foundation {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly runtime: Runtime;
  readonly db: Db;
  readonly isDatabaseAlive: () => Promise<boolean>;
  /** A positive skew means that this machine is ahead of the database, which counts. */
  readonly clockSkewSeconds: () => number;
  /** Aborts when the process is told to stop, which makes `/readyz` fail. */
  readonly stopping: AbortSignal;
  readonly secrets: Secrets;
  readonly mail: MailQueue;
  readonly onAnswered: OnAnswered | undefined;
}

/** Parts that may be off add theirs by merging: each is undefined where its part is. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface OptionalCapabilities {}

type OrUndefined<Of> = { readonly [Name in keyof Of]: Of[Name] | undefined };

/**
 * `app` has all of these, so it passes for any. Features add theirs by merging (architecture §1).
 */
export interface Platform extends Foundation, OrUndefined<OptionalCapabilities> {}

export type OnAnswered = (request: FastifyRequest, reply: FastifyReply) => void;

export interface MailQueue {
  /** Without a mail server, email stays in the queue. */
  readonly isConfigured: boolean;
  nudge(): void;
}

declare module 'fastify' {
  interface FastifyInstance extends Omit<Platform, 'log'> {}
}

export function platformPlugin({ log: _log, ...capabilities }: Foundation & Partial<Platform>) {
  return fp(
    async (app) => {
      for (const name of ['turn', 'whose', 'countedAs']) app.decorateRequest(name, undefined);
      for (const [name, capability] of Object.entries<unknown>(capabilities)) app.decorate(name, capability);
    },
    { name: 'platform', fastify: '5.x' },
  );
}
