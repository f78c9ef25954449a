import { english, type Words } from '../words.ts';
import type { Limit } from './limits.ts';

/** The caller has to wait, and the request writes nothing. Pages and programs are told. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';
  readonly statusCode = 429;
  readonly limit: Pick<Limit, 'name' | 'says'>;
  readonly retryAfterSeconds: number;

  constructor(limit: Pick<Limit, 'name' | 'says'>, retryAfterSeconds: number) {
    super(`the limit ${limit.name} is reached`);
    this.limit = limit;
    this.retryAfterSeconds = Math.max(Math.ceil(retryAfterSeconds), 1);
  }

  tell({ t, say }: Words = english): string {
    return `${say(this.limit.says)} ${this.#tryAgain(t)}`;
  }

  #tryAgain(t: Words['t']): string {
    const minutes = Math.ceil(this.retryAfterSeconds / 60);
    if (minutes === 1) return t('Try again in a minute.');
    return minutes > 120
      ? t('Try again tomorrow.')
      : t('Try again in {minutes, plural, one {# minute} other {# minutes}}.', { minutes });
  }
}
