import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, chown, mkdtemp, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServerBinaries, type ServerUser } from './server-binaries.ts';

/** A PostgreSQL server of our own, on a free port of 127.0.0.1. */
export interface Cluster {
  /** Without a path; a database's name makes it whole. */
  readonly address: string;
  /** Of the server that follows this one, if it was asked for. */
  readonly standbyAddress: string | undefined;
  /** Also removes everything that the server has written. */
  stop(): Promise<void>;
}

const memoryFolder = '/dev/shm';
const memoryBytesWanted = 2 ** 30;
const portAttempts = 3;

/**
 * Runs the server and cleans up behind it. Its standard input ends when we stop, however we stop, kill -9 included; then the
 * server is told to end, and its folders go.
 */
const keeper = `
trap 'rm -rf "$@"' EXIT
"$BINARIES/initdb" -D "$DATA/pg" -U postgres --auth=trust --no-sync --encoding=UTF8 --locale=C >/dev/null || exit 1
[ -z "$STANDBY_PORT" ] || { cp -r "$DATA/pg" "$DATA/standby" && touch "$DATA/standby/standby.signal"; } || exit 1
exec 3<&0
"$BINARIES/postgres" -D "$DATA/pg" -p "$SERVER_PORT" $SETTINGS &
server=$!
[ -z "$STANDBY_PORT" ] || {
  echo "primary_conninfo = 'host=127.0.0.1 port=$SERVER_PORT user=postgres'" >>"$DATA/standby/postgresql.auto.conf"
  "$BINARIES/postgres" -D "$DATA/standby" -p "$STANDBY_PORT" $SETTINGS &
  server="$server $!"
}
(while read -r _; do :; done; kill -INT $server) <&3 2>/dev/null &
wait $server
`;

/** Nothing here has to survive a crash. No autovacuum: it would stand in the way of cloning and dropping databases. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '400',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '128MB',
  autovacuum: 'off',
  jit: 'off',
  // In the data folder instead of /dev/shm, where a killed server would leave them.
  dynamic_shared_memory_type: 'mmap',
  log_min_messages: 'log',
} as const;

const replicating = { wal_level: 'replica', max_wal_senders: '10' } as const;

/**
 * Of the usual binaries, or of those in a folder.
 *
 * @param changes settings that differ
 * @throws when no server's binaries are there, or it does not start
 */
export async function startCluster(
  hasStandby = false,
  binaries?: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const standbyPort = hasStandby ? await findFreePort() : undefined;
      return await tryStart(await findFreePort(), standbyPort, binaries, changes);
    } catch (error) {
      // Between our look and the server's start someone else may have taken the port.
      if (attempt === portAttempts) throw error;
    }
  }
}

async function tryStart(
  port: number,
  standbyPort: number | undefined,
  given: string | undefined,
  changes: Readonly<Record<string, string>>,
): Promise<Cluster> {
  const user = findServerUser();
  const binaries = given === undefined ? await findServerBinaries(user) : { folder: given, copy: undefined };
  const data = await mkdtemp(join(await chooseDataParent(), 'latchkey-data-'));
  if (user !== undefined) await chown(data, user.uid, user.gid);
  const folders = binaries.copy === undefined ? [data] : [data, binaries.copy];
  const kept = spawn('/bin/sh', ['-c', keeper, 'latchkey-test-cluster', ...folders], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      LC_ALL: 'C',
      TZ: 'UTC',
      BINARIES: binaries.folder,
      DATA: data,
      SERVER_PORT: String(port),
      STANDBY_PORT: standbyPort === undefined ? '' : String(standbyPort),
      SETTINGS: Object.entries({ ...settings, ...(standbyPort === undefined ? {} : replicating), ...changes })
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
    },
  });
  const stop = async (): Promise<void> => {
    if (kept.exitCode === null && kept.signalCode === null) {
      const exited = once(kept, 'exit');
      kept.stdin.end();
      await exited;
    }
    // What the server's user may not remove: the folders themselves, in a parent that is not open to everyone.
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  };
  let output = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  kept.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < 10_000) output += text;
    const isReady = output.includes('ready to accept connections');
    if (isReady && (standbyPort === undefined || output.includes('ready to accept read-only'))) resolve();
  });
  kept.once('exit', () => reject(new Error(`the PostgreSQL server did not start: ${output}`)));
  try {
    await ready;
  } catch (error) {
    await stop();
    throw error;
  }
  const addressOf = (itsPort: number): string => `postgres://postgres@127.0.0.1:${itsPort}`;
  const standbyAddress = standbyPort === undefined ? undefined : addressOf(standbyPort);
  return { address: addressOf(port), standbyAddress, stop };
}

/** PostgreSQL refuses to run as root. */
function findServerUser(): ServerUser {
  if (process.getuid?.() !== 0) return undefined;
  const ask = (option: string): number =>
    Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: ask('-u'), gid: ask('-g') };
}

/** Memory is several times faster than a disk at cloning databases. */
async function chooseDataParent(): Promise<string> {
  try {
    await access(memoryFolder, constants.W_OK);
    const { bavail, bsize } = await statfs(memoryFolder);
    return bavail * bsize >= memoryBytesWanted ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
