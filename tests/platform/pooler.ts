import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atTheEnd } from '../support/at-the-end.ts';
import { findFreePort, isListening } from '../support/free-port.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';

/** A real PgBouncer before the server of `databaseUrl`, with two connections to it; the address through it. */
export async function startPooler(
  databaseUrl: string,
  mode: 'session' | 'transaction' | 'statement',
): Promise<string> {
  const target = new URL(databaseUrl);
  const port = await findFreePort();
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: mode === 'session' ? 10 : 2,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  const folder = await makeTemporaryDirectory(atTheEnd);
  const file = join(folder, 'pgbouncer.ini');
  const databases = `[databases]\n* = host=127.0.0.1 port=${target.port} user=postgres\n`;
  await writeFile(file, `${databases}[pgbouncer]\n${lines.join('')}`);
  // PgBouncer refuses to run as root.
  await chmod(folder, 0o755);
  const nobody = (option: string): number => Number(execFileSync('id', [option, 'nobody']));
  const user = process.getuid?.() === 0 ? { uid: nobody('-u'), gid: nobody('-g') } : {};
  const pooler = spawn('pgbouncer', [file], { ...user, stdio: 'ignore' });
  const exited = once(pooler, 'exit');
  atTheEnd(async () => {
    pooler.kill('SIGKILL');
    await exited;
  });
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (tries === 200) throw new Error('PgBouncer does not start');
    await sleep(50);
  }
  target.port = String(port);
  return target.href;
}
