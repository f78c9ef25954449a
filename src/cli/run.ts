import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { ConfigFault } from '../config.ts';
import type { Variables } from '../environment.ts';
import { DataDirectoryInUse } from '../platform/data-directory.ts';
import { explainFault } from '../platform/log.ts';
import { version } from '../platform/package.ts';
import { type Call, type CallAnswer, type Command, Refused, type Rows, UsageFault } from './call.ts';
import { doctorCommands } from './doctor.ts';
import { upkeepCommands } from './upkeep.ts';
import { userCommands } from './users.ts';

const commands = [upkeepCommands, doctorCommands, userCommands].flat();

const usageText = `Usage: latchkey-server [COMMAND]

Without a command, the service starts. Commands read the same environment variables; --version says which this is.

${commands.map(({ usage, does }) => `  latchkey-server ${usage}\n      ${does}`).join('\n')}

USER is an email address or id. With the embedded database, stop the service first.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage.
`;

export async function runCommand(words: readonly string[], environment: Variables): Promise<number> {
  const command = commands.find(({ usage }) => `${words.join(' ')} `.startsWith(`${nameOf(usage)} `));
  if (words.length === 1 && /^(--version|-v)$/.test(words[0] ?? '')) {
    process.stdout.write(`latchkey-server ${version}\n`);
    return 0;
  }
  if (words[0] === 'help' || words.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(command === undefined ? usageText : usageOf(command));
    return 0;
  }
  if (command === undefined) {
    const family = commands.filter(({ usage }) => usage.startsWith(`${words[0]} `));
    const verbs = family.map(({ usage }) => nameOf(usage).split(' ')[1]).join(', ');
    process.stderr.write(
      family.length === 0
        ? `Unknown command '${printable(words.join(' '))}'.\n\n${usageText}`
        : `${words[0]} needs one of ${verbs}.\n\n${family.map(usageOf).join('')}`,
    );
    return 2;
  }
  try {
    const call = readCall(command.usage, words, environment);
    return print(await command.run(call), call.has('json'));
  } catch (error) {
    process.stderr.write(`${wordsOf(error)}\n`);
    if (!(error instanceof UsageFault)) return 1;
    process.stderr.write(usageOf(command));
    return 2;
  }
}

function usageOf({ usage, does }: Command): string {
  return `Usage: latchkey-server ${usage}\n      ${does}\n`;
}

function nameOf(usage: string): string {
  return usage.replace(/ (\[|--|[A-Z]).*$/, '');
}

/** One in 64 keys' ids begins with a dash, which no option looks like. */
const dashedValue = /^-(?!-?[a-z-]*(?:=|$))/;

/** The usage is the grammar: brackets mark what is optional, and capitals stand for a value. */
function readCall(usage: string, words: readonly string[], environment: Variables): Call {
  const name = nameOf(usage);
  const declared = [...usage.matchAll(/(\[?)--([a-z-]+)( [A-Z_]+)?/g)];
  const required = usage.slice(name.length).replaceAll(/\[.*?\]|--[a-z-]+ [A-Z_]+/g, '');
  const wanted = required.split(' ').filter((word) => word !== '');
  const typeOf = (value: string | undefined) => (value === undefined ? 'boolean' : 'string');
  const given = words.slice(name.split(' ').length);
  const dashed = given.filter((word) => dashedValue.test(word));
  const parsed: { values: Readonly<Record<string, unknown>>; positionals: string[] } = refusingUnknown(() =>
    parseArgs({
      args: [...given.filter((word) => !dashed.includes(word)), '--', ...dashed],
      options: Object.fromEntries(declared.map(([, , option, value]) => [option, { type: typeOf(value) }])),
      allowPositionals: true,
    }),
  );
  const { values, positionals } = parsed;
  const text = (option: string): string => String(values[option] ?? '').trim();
  const missing = declared.find(
    ([, bracket, option = '', value]) => bracket === '' && value !== undefined && text(option) === '',
  );
  if (missing !== undefined) throw new UsageFault(`--${missing[2]} is missing.`);
  if (positionals.length !== wanted.length)
    throw new UsageFault(
      wanted.length === 0 ? 'This command takes options only.' : `Give ${wanted.join(' ')}.`,
    );
  const confirm = async (question: string): Promise<void> => {
    if (values['yes'] !== true) await ask(question);
  };
  return { environment, word: positionals[0] ?? '', text, has: (option) => values[option] === true, confirm };
}

function refusingUnknown<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    // The first sentence of Node's message is about what was typed.
    const [says = ''] = error instanceof Error ? error.message.split(/\.\s|\n/) : [];
    throw new UsageFault(`${printable(says.replace(/\.$/, ''))}.`);
  }
}

/** Throws Refused unless the first typed line is a yes. */
async function ask(question: string): Promise<void> {
  process.stderr.write(`${printable(question, /[^\P{Cc}\n]|\p{Cf}/gu)} [y/N] `);
  for await (const line of createInterface({ input: process.stdin })) {
    if (/^y(es)?$/i.test(line.trim())) return;
    break;
  }
  throw new Refused('Nothing was changed. Answer y, or add --yes.');
}

function print(answer: CallAnswer, asJson: boolean): number {
  if (typeof answer === 'string' || 'json' in answer) {
    process.stdout.write(`${typeof answer === 'string' ? answer : toJson(answer.json)}\n`);
    return 0;
  }
  process.stdout.write(asJson ? `${toJson(answer.rows)}\n` : toTable(answer.rows));
  if (answer.note !== undefined) process.stderr.write(`${answer.note}\n`);
  return answer.code ?? 0;
}

/** Text that people have typed must not steer the terminal. */
function printable(text: string, dangerous = /[\p{Cc}\p{Cf}]/gu): string {
  return text.replaceAll(dangerous, '\ufffd');
}

function toJson(value: unknown): string {
  return printable(JSON.stringify(value, undefined, 2), /[\u007f-\u009f]|\p{Cf}/gu);
}

function toTable(rows: Rows): string {
  const names = Object.keys(rows[0] ?? {});
  const textOf = (value: unknown): string =>
    printable(value instanceof Date ? value.toISOString() : String(value ?? ''));
  const lines = [names, ...rows.map((row) => names.map((name) => textOf(row[name])))];
  const widths = names.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const format = (line: readonly string[]): string =>
    `${line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()}\n`;
  return rows.length === 0 ? '' : lines.map(format).join('');
}

function wordsOf(error: unknown): string {
  if (error instanceof DataDirectoryInUse)
    return `${error.message}\nStop the service, then run the command again.`;
  const isExplained = [Refused, UsageFault, ConfigFault].some((kind) => error instanceof kind);
  return isExplained && error instanceof Error ? error.message : `The command failed: ${explainFault(error)}`;
}
