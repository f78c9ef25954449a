import type { Sentence } from '../words.ts';

/** Programs get the message; pages show title and text. */
export interface SpentWords {
  readonly what: string;
  readonly message: string;
  readonly title: Sentence;
  readonly text: Sentence;
}

export const tooManyRequests: SpentWords = {
  what: 'requests',
  message: 'Too many requests. Try again later.',
  title: 'Too many requests',
  text: 'You, your apps or your network have asked for too much. Nothing was changed. Try again in a minute.',
};

/** The caller who causes this has to wait, and the request writes nothing. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
  readonly statusCode = 429;
  readonly words: SpentWords;
  readonly retryAfterSeconds: number;

  constructor(words: SpentWords, resetAt: Date, now: Date) {
    super(`one user, app or network has caused too many ${words.what}`);
    this.words = words;
    this.retryAfterSeconds = Math.max(Math.ceil((resetAt.getTime() - now.getTime()) / 1000), 1);
  }
}
