import type { FastifyBaseLogger } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';
import type { Db } from './database.ts';
import type { Runtime } from './runtime.ts';
import type { Secrets } from './secrets.ts';

/**
 * The capabilities that the whole service stands on. Each is decorated on the app under its own
 * name, so that `app` itself can be passed wherever some of them are wanted. Features add theirs
 * by declaration merging, beside the code that makes them (architecture §1).
 */
export interface Platform {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly runtime: Runtime;
  readonly db: Db;
  /** Whether the database answers, at most a second later. */
  readonly isDatabaseAlive: () => Promise<boolean>;
  readonly secrets: Secrets;
  readonly mail: MailQueue;
}

/** Outgoing email. What is queued in the database is sent soon, or when `nudge` is called. */
export interface MailQueue {
  /** Whether email is really sent: without a mail server it stays in the queue. */
  readonly isConfigured: boolean;
  nudge(): void;
}

declare module 'fastify' {
  interface FastifyInstance extends Omit<Platform, 'log'> {}
}

/** Decorates every capability once, on the root. Fastify itself holds the log. */
export function platformPlugin({ log: _log, ...capabilities }: Platform) {
  return fp(
    async (app) => {
      for (const [name, capability] of Object.entries<unknown>(capabilities)) app.decorate(name, capability);
    },
    { name: 'platform', fastify: '5.x' },
  );
}
