import { randomHex } from '../../io/system.ts';
import { decideLogo, type LogoChange, valuesToEdit } from '../clients/edits/change.ts';
import { lockOwnClient } from '../clients/edits/store.ts';
import { carryOut } from '../clients/edits/submission.ts';
import { lockOwner, type TooMany } from '../clients/store.ts';
import type { SubmissionDeps } from '../clients/submission.ts';
import type { Logo } from './picture.ts';
import { deleteUnused, storeLogo } from './store.ts';

const logoIdBytes = 16;

/**
 * Gives an owner's client a new logo, or none: an edit of that one value, on top of what waits or was rejected. The same logo once more changes
 * nothing. `gone`: the user owns no such client.
 */
export async function changeLogo(
  deps: SubmissionDeps,
  { id, ownerId }: { readonly id: string; readonly ownerId: number },
  logo: Logo | undefined,
): Promise<LogoChange | 'gone' | TooMany> {
  const newLogo = logo === undefined ? undefined : { ...logo, id: randomHex(deps.system, logoIdBytes) };
  const outcome = await deps.db.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const current = await lockOwnClient(tx, id, ownerId);
    if (current === undefined) return 'gone';
    const inUse = [current.logoId, current.edit?.logoId ?? null];
    const logoId = newLogo === undefined ? null : await storeLogo(tx, id, newLogo, inUse, deps.system.now());
    const wanted = { ...valuesToEdit(current), logoId };
    const carriedOut = await carryOut(tx, deps, current, decideLogo(current, wanted), wanted);
    await deleteUnused(tx, id);
    return carriedOut;
  });
  deps.nudgeOutbox();
  return outcome;
}
