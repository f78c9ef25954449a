/** Whoever causes something has to wait; nothing of the request is written. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
  readonly statusCode = 429;
  readonly of: 'emails' | 'changes' | 'booking_changes' | 'requests';
  readonly retryAfterSeconds: number;

  constructor(of: BudgetSpent['of'], resetAt: Date, now: Date) {
    super(`one user, app or network has caused too many ${of.replace('_', ' ')}`);
    this.of = of;
    this.retryAfterSeconds = Math.max(Math.ceil((resetAt.getTime() - now.getTime()) / 1000), 1);
  }
}
