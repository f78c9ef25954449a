import { describe, expect, test } from 'vitest';
import { codeFaults, pairsOf, refreshFaults } from '../core/token-faults.ts';
import { sharedService } from '../support/service.ts';
import { refusalOf } from '../support/tokens.ts';
import { draftExchange, draftRefresh, sendDraft } from './token-drafts.ts';

const service = await sharedService();

/** One pair for each earlier fault; `core/token-error-order` has all of them. */
const fewOf = (pairs: ReturnType<typeof pairsOf>) =>
  pairs.filter(({ earlier }, index) => pairs[index - 1]?.earlier !== earlier);

describe.each(['confidential', 'public'] as const)('a %s client', (type) => {
  describe.each([
    ['an exchange', fewOf(pairsOf(codeFaults, type)), draftExchange],
    ['a refresh', fewOf(pairsOf(refreshFaults, type)), draftRefresh],
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
