import { personalRows, readPages, rowsBeyondIndexes } from '../scheduling/personal-data/store.ts';
import { type Command, openTools } from './call.ts';
import { personOf } from './users.ts';

export const exportCommands: readonly Command[] = [
  {
    usage: 'export --user USER',
    does: 'Print all that is stored about a person (an email address or id) as JSON, without secrets.',
    async run(call) {
      await using tools = await openTools(call);
      const person = await personOf(tools, call.text('user'));
      const json: Record<string, unknown> = { exportedAt: tools.by.at };
      for (const rows of [...personalRows(tools.db, person), ...rowsBeyondIndexes(person)])
        json[rows.name] = (await Array.fromAsync(readPages(tools.db, rows))).flat();
      return { json };
    },
  },
];
