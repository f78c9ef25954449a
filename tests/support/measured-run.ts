import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { type RunnerTask, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest';

interface Process {
  readonly parent: number;
  /** The process itself used these, and its children that have ended. */
  readonly seconds: number;
}

/** The pid of a process, and what follows its name, which may hold anything, in `stat`. */
function readProcess(pid: string): readonly (readonly [number, Process])[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [[Number(pid), { parent: Number(fields[1]), seconds: ticks / 100 }]];
  } catch {
    // The process has ended since the folder was read.
    return [];
  }
}

/** What the whole run has used so far: the runner, its workers, databases, browsers and services. */
function cpuSecondsOfTheRun(): number {
  const processes = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readProcess),
  );
  const isOfTheRun = (pid: number): boolean =>
    pid === process.ppid || (pid > 1 && isOfTheRun(processes.get(pid)?.parent ?? 0));
  return [...processes].reduce((sum, [pid, { seconds }]) => sum + (isOfTheRun(pid) ? seconds : 0), 0);
}

/** Writes a line for each file and test to the file that LATCHKEY_MEASURE names. Wants one worker, to which all belongs. */
export default class MeasuredRun extends TestRunner {
  private atStart = 0;
  private readonly atStartOf = new Map<string, number>();

  override onCollectStart(file: RunnerTestFile): void {
    this.atStart = cpuSecondsOfTheRun();
    super.onCollectStart(file);
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    const { user, system } = process.cpuUsage();
    this.atStartOf.set(test.id, user + system);
    await super.onBeforeRunTask(test);
  }

  override onAfterRunTask(test: RunnerTask): void {
    super.onAfterRunTask(test);
    const { user, system } = process.cpuUsage();
    const seconds = (user + system - (this.atStartOf.get(test.id) ?? user + system)) / 1_000_000;
    write({ file: test.file.name, test: test.name, seconds });
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (suite.file.id !== suite.id) return;
    write({ file: suite.file.name, seconds: cpuSecondsOfTheRun() - this.atStart });
  }
}

function write(line: object): void {
  appendFileSync(process.env['LATCHKEY_MEASURE'] ?? '/dev/null', `${JSON.stringify(line)}\n`);
}
