import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';
import type { Db } from './database.ts';
import type { Runtime } from './runtime.ts';
import type { Secrets } from './secrets.ts';

/** What every service stands on, whatever parts it has. */
export interface Foundation {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly runtime: Runtime;
  readonly db: Db;
  /** Waits a second at most. */
  readonly isDatabaseAlive: () => Promise<boolean>;
  /** How far this machine's clock is ahead of the database's, which counts; negative: behind. */
  readonly clockSkewSeconds: () => number;
  /** Aborted when the process is told to stop: `/readyz` fails from then on. */
  readonly stopping: AbortSignal;
  readonly secrets: Secrets;
  readonly mail: MailQueue;
  /** Called with each answer after it was sent. */
  readonly onAnswered: OnAnswered | undefined;
}

/**
 * All capabilities: decorated on the app, so `app` itself can be passed where some are needed.
 * Features add theirs by declaration merging (architecture §1).
 */
export interface Platform extends Foundation {}

export type OnAnswered = (request: FastifyRequest, reply: FastifyReply) => void;

/** Queued email is sent soon, or when `nudge` is called. */
export interface MailQueue {
  /** Without a mail server, email stays in the queue. */
  readonly isConfigured: boolean;
  nudge(): void;
}

declare module 'fastify' {
  interface FastifyInstance extends Omit<Platform, 'log'> {}
}

/** Fastify itself holds the log. */
export function platformPlugin({ log: _log, ...capabilities }: Foundation & Partial<Platform>) {
  return fp(
    async (app) => {
      for (const name of ['endTurn', 'countedAs']) app.decorateRequest(name, undefined);
      for (const [name, capability] of Object.entries<unknown>(capabilities)) app.decorate(name, capability);
    },
    { name: 'platform', fastify: '5.x' },
  );
}
