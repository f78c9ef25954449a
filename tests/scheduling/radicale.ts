import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atTheEnd } from '../support/at-the-end.ts';
import { findFreePort } from '../support/free-port.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';

const program = 'radicale';

export interface CaldavServer {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Makes a calendar of the user. */
  makeCalendar(name: string): Promise<void>;
  put(calendar: string, file: string, ics: string): Promise<void>;
  remove(calendar: string, file: string): Promise<void>;
  /** Ends it, as if it had crashed. */
  stop(): Promise<void>;
}

const startMs = 20_000;

/** A real CalDAV server, Radicale, with one user, for the tests of a file. */
export async function startRadicale(): Promise<CaldavServer> {
  const folder = await makeTemporaryDirectory(atTheEnd);
  const [username, password] = ['ann', 'canary-Pässword-91c4'];
  const users = join(folder, 'users');
  await writeFile(users, `${username}:${password}\n`);
  const port = await findFreePort();
  const settings = {
    'server-hosts': `127.0.0.1:${port}`,
    'auth-type': 'htpasswd',
    'auth-htpasswd-filename': users,
    'auth-htpasswd-encryption': 'plain',
    'auth-delay': '0',
    'storage-filesystem-folder': join(folder, 'storage'),
  };
  const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const server = spawn(program, ['--config', '', ...options], { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  atTheEnd(stop);
  const url = `http://127.0.0.1:${port}/`;
  await awaitAnswer(url);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const ask = async (method: string, path: string, body?: string): Promise<void> => {
    const answer = await fetch(`${url}${username}/${path}`, {
      method,
      headers: { authorization, 'content-type': 'text/calendar' },
      ...(body === undefined ? {} : { body }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  };
  return {
    url,
    username,
    password,
    makeCalendar: (name) => ask('MKCALENDAR', `${name}/`),
    put: (calendar, file, ics) => ask('PUT', `${calendar}/${file}.ics`, ics),
    remove: (calendar, file) => ask('DELETE', `${calendar}/${file}.ics`),
    stop,
  };
}

async function awaitAnswer(url: string): Promise<void> {
  const deadline = Date.now() + startMs;
  for (;;) {
    try {
      await fetch(url, { redirect: 'manual' });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Error('Radicale does not start', { cause: error });
      await sleep(50);
    }
  }
}
