import { describe, expect, test } from 'vitest';
import { sharedService } from '../support/service.ts';
import {
  codeFaults,
  draftExchange,
  draftRefresh,
  type Fault,
  refreshFaults,
  sendDraft,
} from '../support/token-faults.ts';
import { refusalOf } from '../support/tokens.ts';

const service = await sharedService();

/** Every two faults that a request can have at the same time, the earlier row first. */
function pairsOf(
  faults: readonly Fault[],
): { earlier: string; later: string; faults: readonly [Fault, Fault] }[] {
  return faults.flatMap((earlier, index) =>
    faults
      .slice(index + 1)
      .filter((later) => later.part !== earlier.part)
      .map((later) => ({ earlier: earlier.name, later: later.name, faults: [earlier, later] as const })),
  );
}

describe.each(['confidential', 'public'] as const)('a %s client', (type) => {
  const isRow = ({ only = type, isVariant = false }: Fault): boolean => only === type && !isVariant;

  describe.each([
    ['an exchange', pairsOf(codeFaults.filter(isRow)), draftExchange],
    ['a refresh', pairsOf(refreshFaults.filter(isRow)), draftRefresh],
  ] as const)('%s', (_name, pairs, draftRight) => {
    test.each(pairs)('with $earlier and $later hears of $earlier (contract §4)', async ({ faults }) => {
      const [earlier, later] = faults;
      const draft = await draftRight(service, type);
      await later.spoil(draft);
      await earlier.spoil(draft);

      const refused = await sendDraft(draft);

      expect(refusalOf(refused)).toEqual(earlier.answer);
    });
  });
});
