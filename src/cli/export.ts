import { type Command, openTools } from './call.ts';
import { readPersonalData } from './store.ts';
import { personOf } from './users.ts';

export const exportCommands: readonly Command[] = [
  {
    usage: 'export --user USER',
    does: 'Print all that is stored about a person (an email address or id) as JSON, without secrets.',
    async run(call) {
      await using tools = await openTools(call);
      const person = await personOf(tools, call.text('user'));
      return { json: { exportedAt: tools.by.at, ...(await readPersonalData(tools.db, person)) } };
    },
  },
];
