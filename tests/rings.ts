import { globSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * What a contributor waits for at every save: every rule, every surface, and of all else the one test that most changes
 * would break.
 */
const inner = [
  'tests/*.test.ts',
  'tests/{abuse,core,http,scheduling,races,platform,mail}/**/*.test.ts',
  // Each optional part does what it is for.
  'tests/*/main-job.test.ts',
  // Every page, and the document of every operation.
  'tests/whole/{pages,permissions,openapi}.test.ts',
  // Accounts, developer settings, review and consent; bookings; agents.
  'tests/flows/{story,booking,agent}.test.ts',
];

/** Files in those folders whose tests take more than a second each wait for a push, but for a few races. */
const slow = [
  // Programs that npm does not have.
  'tests/scheduling/{caldav-radicale,calendar-entries}.test.ts',
  // Servers that fail over, and a plan for each way of a shortcut.
  'tests/races/{shortcut,failover}.test.ts',
  // Crowds, floods, and the largest that an account can be.
  'tests/abuse/{accounts-crowd,change-limits,caused-emails,email-limits}.test.ts',
  'tests/mail/priorities.test.ts',
  'tests/scheduling/{slot-costs,largest-answers,list-costs}.test.ts',
  // Calendars that are away for days, or cost what a thread has.
  'tests/scheduling/{calendars,calendar-outages,calendar-writes,readings}.test.ts',
  // Tables that are filled until their plans are those of large ones.
  'tests/http/{audit-plan,review-queue-plan,token-plans}.test.ts',
  'tests/scheduling/plans.test.ts',
  // Databases and servers of their own, started and ended.
  'tests/http/sql-store.test.ts',
  'tests/platform/{embedded-*,database-*,data-directory*,migrations,background-work}.test.ts',
];

/** What seldom breaks alone and takes long, or takes programs that are large. */
const night = [
  // Other people's programs, random requests, faults around the service, and trees without a part.
  'tests/{conformance,fuzz,faults,parts}/**/*.test.ts',
  'tests/clients/{cal-com-answers,go,published,python,sign-in,typescript}.test.ts',
  // Models of all that can happen to a grant.
  'tests/{core,races}/grant-model.test.ts',
  // Other browsers, other people's pages, and every page again on phones and in each language.
  'tests/{flows,languages}/{firefox,webkit,docs-page,demo,phones}.test.ts',
  'tests/start/{container,former-release,proxies}.test.ts',
  // Other runtimes, 200 MB of them; the package runs on three versions of Node.js and workerd at every push.
  'tests/package/elsewhere.test.ts',
  // The embedded database under all that can happen to a process; npm-start starts it at every push.
  'tests/start/embedded.test.ts',
  'tests/platform/embedded-database.test.ts',
  // Every kind of place with every kind of value.
  'tests/whole/value-costs.test.ts',
];

export type Ring = 'inner' | 'outer' | 'night';

const root = join(import.meta.dirname, '..');
const find = (patterns: string | readonly string[]): readonly string[] =>
  globSync(patterns, { cwd: root }).map((file) => file.replaceAll(sep, '/'));

/** Every test file is in one ring, and in no other: what neither of the others takes is in the outer one. */
export function filesOf(ring: Ring): readonly string[] {
  const [atNight, atPush, atSave] = [night, slow, inner].map((patterns) => new Set(find(patterns)));
  const ringOf = (file: string): Ring => {
    if (atNight?.has(file)) return 'night';
    return atSave?.has(file) && !atPush?.has(file) ? 'inner' : 'outer';
  };
  return find('tests/**/*.test.ts').filter((file) => ringOf(file) === ring);
}

/** Patterns that lead to no file any more. */
export const emptyPatterns = (): readonly string[] =>
  [...inner, ...slow, ...night].filter((pattern) => find(pattern).length === 0);
