import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { z } from 'zod';
import { findFreePort, isListening } from '../support/free-port.ts';
import { makeDirectoryForFile } from '../support/temporary-directory.ts';

/** What a journey needs of a browser: both protocols of the W3C have it in the same shape. */
interface Driver {
  navigate(url: string): Promise<void>;
  goBack(): Promise<void>;
  /** What the body of a function in the page returns, which is text. */
  run(body: string): Promise<unknown>;
  /** Sends input as a mouse or a keyboard does. */
  perform(input: object): Promise<void>;
}

/** A page as people use it: by what they read. */
export interface OtherPage {
  open(url: string): Promise<void>;
  goBack(): Promise<void>;
  /** Waits until an expression is true in the page, whatever page that is by then. */
  until(expression: string): Promise<void>;
  read(expression: string): Promise<string>;
  /** Clicks in the middle of a link or a button. */
  click(words: string): Promise<void>;
  /** Points at a field and types into it. */
  fill(label: string, text: string): Promise<void>;
}

const patienceMs = 20_000;

function createPage(driver: Driver): OtherPage {
  const read = async (expression: string): Promise<string> =>
    z.string().parse(await driver.run(`return String(${expression});`));
  async function until(expression: string): Promise<void> {
    const end = Date.now() + patienceMs;
    // Between two pages there is none that could answer.
    while ((await read(expression).catch(() => 'false')) !== 'true') {
      if (Date.now() > end)
        throw new Error(
          `never true: ${expression}, on ${await read('location.href + document.body.innerText + JSON.stringify([...document.forms].map((form) => [...new FormData(form)]))')}`,
        );
      await sleep(50);
    }
  }
  /** Whether an expression becomes true in a second; a page that leaves meanwhile has done what it should. */
  async function becomes(expression: string): Promise<boolean> {
    for (let tries = 0; tries < 20; tries += 1) {
      if ((await read(expression).catch(() => 'true')) === 'true') return true;
      await sleep(50);
    }
    return false;
  }
  async function point(element: string): Promise<void> {
    // A page that has just moved can take a click where the element was before: then it is sent again.
    do {
      // Consent's script holds its buttons back for a moment.
      await until(`document.readyState === 'complete' && ${element} !== undefined`);
      const listen = `window.isMissed = true; element.addEventListener('pointerup', () => { window.isMissed = false; }, { once: true });`;
      const box = `(() => { const element = ${element}; ${listen} element.scrollIntoView({ block: 'center' }); return element.getBoundingClientRect(); })()`;
      const [x = 0, y = 0] = (
        await read(`(({ x, y, width, height }) => [x + width / 2, y + height / 2])(${box})`)
      ).split(',');
      const move = { type: 'pointerMove', x: Math.round(Number(x)), y: Math.round(Number(y)), duration: 0 };
      const press = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }));
      await driver.perform({ type: 'pointer', id: 'mouse', actions: [move, ...press] });
    } while (!(await becomes('!window.isMissed')));
  }
  const named = (selector: string, words: string): string =>
    `[...document.querySelectorAll('${selector}')].find((one) => one.textContent.trim().startsWith(${JSON.stringify(words)}) && one.checkVisibility())`;
  return {
    open: driver.navigate,
    goBack: driver.goBack,
    until,
    read,
    click: (words) => point(named('a, button:not([aria-disabled])', words)),
    async fill(label, text) {
      const keys = [...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })));
      const field = `${named('label', label)}?.control`;
      do {
        await point(field);
        await driver.run(`document.activeElement.select(); return '';`);
        await driver.perform({ type: 'key', id: 'keyboard', actions: keys });
      } while (!(await becomes(`${field}.value === ${JSON.stringify(text)}`)));
    },
  };
}

/** Starts a program that ends after the file's tests, at the latest. */
function start(program: string, words: readonly string[], environment: Readonly<Record<string, string>>) {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  afterAll(async () => {
    child.kill();
    await exited;
  });
  return {
    /** Waits until the program prints what it has to say. */
    async until(pattern: RegExp): Promise<string> {
      const end = Date.now() + patienceMs;
      for (;;) {
        const found = pattern.exec(printed)?.[1];
        if (found !== undefined) return found;
        if (Date.now() > end || child.exitCode !== null)
          throw new Error(`${program} doesn't start: ${printed}`);
        await sleep(20);
      }
    },
  };
}

const bidiAnswer = z.object({ id: z.number(), type: z.string(), result: z.unknown() });
const contexts = z.object({ context: z.string() });
const evaluated = z.object({ result: z.object({ value: z.string() }) });

/** Firefox by WebDriver BiDi, which it speaks itself. */
export async function openFirefox(): Promise<OtherPage> {
  const home = await makeDirectoryForFile();
  const words = ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port=0'];
  const firefox = start('firefox-esr', words, { HOME: home });
  const address = await firefox.until(/WebDriver BiDi listening on (\S+)/);
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  const waiting = new Map<number, (answer: z.infer<typeof bidiAnswer>) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = bidiAnswer.safeParse(JSON.parse(String(data)));
    if (answer.success) waiting.get(answer.data.id)?.(answer.data);
  });
  let last = 0;
  async function send(method: string, params: object): Promise<unknown> {
    last += 1;
    const answered = new Promise<z.infer<typeof bidiAnswer>>((resolve) => waiting.set(last, resolve));
    socket.send(JSON.stringify({ id: last, method, params }));
    const answer = await answered;
    if (answer.type !== 'success') throw new Error(`${method}: ${JSON.stringify(answer)}`);
    return answer.result;
  }
  await send('session.new', { capabilities: {} });
  const { context } = contexts.parse(await send('browsingContext.create', { type: 'tab' }));
  afterAll(() => send('browser.close', {}));
  return createPage({
    navigate: async (url) =>
      void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    goBack: async () => void (await send('browsingContext.traverseHistory', { context, delta: -1 })),
    async run(body) {
      const expression = `(() => { ${body} })()`;
      const values = { expression, target: { context }, awaitPromise: false };
      return evaluated.parse(await send('script.evaluate', values)).result.value;
    },
    perform: async (input) => void (await send('input.performActions', { context, actions: [input] })),
  });
}

const driverAnswer = z.object({ value: z.unknown() });
const sessions = z.object({ sessionId: z.string() });

/** WebKitGTK by its WebDriver, which starts its small browser on a display in memory. */
export async function openWebkit(): Promise<OtherPage> {
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser');
  const display = await start('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp'], {}).until(/^(\d+)\n/);
  const home = await makeDirectoryForFile();
  const homes = ['HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME'].map((name) => [name, home]);
  const port = await findFreePort();
  start('WebKitWebDriver', [`--port=${port}`], { DISPLAY: `:${display}`, ...Object.fromEntries(homes) });
  while (!(await isListening(port))) await sleep(50);
  async function send(method: 'POST' | 'DELETE', path: string, values: object = {}): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(values) }),
      signal: AbortSignal.timeout(patienceMs),
    });
    const { value } = driverAnswer.parse(await answer.json());
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  }
  const options = { binary, args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  const session = `/${sessions.parse(await send('POST', '', { capabilities })).sessionId}`;
  afterAll(() => send('DELETE', session));
  return createPage({
    navigate: async (url) => void (await send('POST', `${session}/url`, { url })),
    goBack: async () => void (await send('POST', `${session}/back`)),
    run: (script) => send('POST', `${session}/execute/sync`, { script, args: [] }),
    perform: async (input) => void (await send('POST', `${session}/actions`, { actions: [input] })),
  });
}
