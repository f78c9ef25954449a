import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Locator, Page } from 'playwright-core';

/** Seconds are those of the keystroke-level model (Card, Moran and Newell, 1980). */
const seconds = { think: 1.35, move: 1.5, click: 0.2, key: 0.28 } as const;

export class Journey {
  steps = 0;
  #person = 0;
  #machine = 0;
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }

  async #step(inSeconds: number, action: () => Promise<unknown>): Promise<void> {
    const start = performance.now();
    await action();
    this.#machine += (performance.now() - start) / 1000;
    this.steps += 1;
    this.#person += seconds.think + inSeconds;
  }

  open = (page: Page, url: string): Promise<void> =>
    this.#step(seconds.move + url.length * seconds.key, () => page.goto(url));
  /** A link takes one click, unlike `open`. */
  follow = (page: Page, url: string): Promise<void> =>
    this.#step(seconds.move + seconds.click, () => page.goto(url));
  click = (target: Locator): Promise<void> => this.#step(seconds.move + seconds.click, () => target.click());
  type = (target: Locator, text: string): Promise<void> =>
    this.#step(seconds.move + text.length * seconds.key, () => target.fill(text));
  choose = (target: Locator, option: string): Promise<void> =>
    this.#step(seconds.move + seconds.click, async () => void (await target.selectOption(option)));
  /** A paste includes the copying and what follows from both. */
  paste = (action: () => Promise<unknown>): Promise<void> =>
    this.#step(2 * (seconds.move + seconds.click + 2 * seconds.key), action);
  /** A page that comes and a program that starts are no steps of the person. */
  async wait<T>(action: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await action();
    this.#machine += (performance.now() - start) / 1000;
    return result;
  }

  line(): string {
    const [person, machine] = [this.#person, this.#machine].map((value) => value.toFixed(0));
    return `| ${this.name} | ${this.steps} | ${person} | ${machine} |\n`;
  }
}

/** What is pasted runs in Bash, as in a terminal. */
export function openShell() {
  const child = spawn('bash', [], { stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return {
    enter: async (text: string): Promise<void> => void child.stdin.write(`${text}\n`),
    close: (): void => void child.stdin.end(),
    async until(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const found = pattern.exec(printed);
        if (found !== null) return found;
        if (child.exitCode !== null) throw new Error(`the shell ended after: ${printed}`);
        await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
      }
    },
  };
}
