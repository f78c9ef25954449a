import { listKeys, noKeysWords, rotateKeys } from '../oauth/keyring.ts';
import { type Command, listed, openTools } from './call.ts';

export const keyCommands: readonly Command[] = [
  {
    usage: 'keys list [--json]',
    does: 'List the keys that sign access tokens.',
    async run(call) {
      await using tools = await openTools(call);
      const keys = await listKeys(tools);
      const rows = keys.map(({ id, state, activeAt, isReadable }) => ({ id, state, activeAt, isReadable }));
      return listed(call, rows, noKeysWords);
    },
  },
  {
    usage: 'keys rotate [--now] [--yes]',
    does: 'Create the next key: it signs in a day, when everyone has read it; with --now, immediately.',
    async run(call) {
      await using tools = await openTools(call);
      const isNow = call.has('now');
      if (isNow)
        await call.confirm(
          'Until they read the keys again, instances (a minute) and apps that remember them (an hour) refuse new tokens. Go on?',
        );
      const { id, activeAt } = await rotateKeys(tools, isNow);
      return isNow
        ? `Key ${id} signs now; running instances take it within a minute.`
        : `Key ${id} signs from ${activeAt.toISOString()}.`;
    },
  },
];
