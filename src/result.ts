/**
 * A refusal is a value: `reason` is for the caller, `detail` for the log. Neither holds a secret.
 */
export interface Refusal<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
  readonly detail?: string;
}

export interface Ok<Value> {
  readonly ok: true;
  readonly value: Value;
}

export type Result<Value, Reason extends string> = Ok<Value> | Refusal<Reason>;

export function ok<const Value>(value: Value): Ok<Value> {
  return { ok: true, value };
}

export function refuse<Reason extends string>(reason: Reason, detail?: string): Refusal<Reason> {
  return detail === undefined ? { ok: false, reason } : { ok: false, reason, detail };
}
