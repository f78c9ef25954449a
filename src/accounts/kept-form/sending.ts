import { type Counted, takeTurn, wasTaken } from '../attempts/limits.ts';
import type { SessionDeps } from '../session.ts';
import { keptIdOf } from './form.ts';

const sendingOf = (id: string, userId: number): Counted => ({
  kind: 'kept_form',
  parts: [String(userId), id],
});

/**
 * Counts the sending of a kept form; other forms are always the first. A double click, or the way back and the button once more, must not do
 * a thing twice without saying so.
 */
export async function isFirstSending(body: unknown, userId: number, deps: SessionDeps): Promise<boolean> {
  const id = keptIdOf(body);
  if (id === undefined) return true;
  const turn = await takeTurn(deps, [sendingOf(id, userId)], deps.system.now());
  return turn.outcome === 'granted';
}

/** Whether the user has sent the kept form with this id. */
export async function wasSent(id: string, userId: number, deps: SessionDeps): Promise<boolean> {
  return wasTaken(deps, sendingOf(id, userId), deps.system.now());
}
