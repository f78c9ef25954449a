import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Closes what a test opened behind that test, and what the file opened behind the file; in either case what came last goes first. */
export function atTheEnd(close: () => Promise<void>): void {
  const test: unknown = TestRunner.getCurrentTest();
  if (test === undefined) afterAll(close);
  else onTestFinished(close);
}
