import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';
import { findMemoryFolder } from './memory-folder.ts';
import { findServerBinaries, type ServerUser } from './server-binaries.ts';

/** A PostgreSQL server of our own, on a free port of 127.0.0.1. */
export interface Cluster {
  /** Without a path; a database's name makes it whole. */
  readonly address: string;
  /** The server that follows this one listens here, if it was asked for. */
  readonly standbyAddress: string | undefined;
  /** What the server has written, as this process sees it. */
  readonly folder: string;
  /** Returns the first server's process and its children. */
  readonly processIds: () => readonly number[];
  /** Also removes everything that the server has written. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly hasStandby?: boolean;
  /** Instead of those that tests have, or besides. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether the server comes back when something else ends it. */
  readonly restarts?: boolean;
  /** A disk of its own with so much room, seen by the server alone; for root on Linux. */
  readonly diskMegabytes?: number;
  /** The folder of other binaries than the usual ones. */
  readonly binaries?: string;
}

/**
 * Runs the server and cleans up behind it. Its standard input ends when we stop, however we stop, kill -9 included; then the
 * server is told to end until its folders go.
 */
const keeper = `
trap 'rm -rf "$@" 2>/dev/null' EXIT
"$BINARIES/initdb" -D "$DATA/pg" -U postgres --auth=trust --no-sync --encoding=UTF8 --locale=C >/dev/null || exit 1
[ -z "$STANDBY_PORT" ] || { cp -r "$DATA/pg" "$DATA/standby" && touch "$DATA/standby/standby.signal"; } || exit 1
exec 3<&0
(
  while read -r _; do :; done
  touch "$DATA/stopping"
  while [ -d "$DATA/pg" ]; do kill -INT $(head -qn1 "$DATA"/*/postmaster.pid); sleep 0.2; done
) <&3 >/dev/null 2>&1 &
[ -z "$STANDBY_PORT" ] || {
  echo "primary_conninfo = 'host=127.0.0.1 port=$SERVER_PORT user=postgres'" >>"$DATA/standby/postgresql.auto.conf"
  "$BINARIES/postgres" -D "$DATA/standby" -p "$STANDBY_PORT" $SETTINGS &
  standby=$!
}
while
  "$BINARIES/postgres" -D "$DATA/pg" -p "$SERVER_PORT" $SETTINGS
  [ -n "$RESTARTS" ] && [ ! -e "$DATA/stopping" ]
do sleep 0.2; done
[ -z "$standby" ] || wait $standby
`;

/** What it mounts goes with its last process. */
const diskMaker = `
mount -t tmpfs -o "size=$DISK,mode=700,uid=$SERVER_UID,gid=$SERVER_GID" tmpfs "$DATA" || exit 1
exec setpriv --reuid="$SERVER_UID" --regid="$SERVER_GID" --clear-groups /bin/sh -c "$KEEPER" latchkey-test-cluster "$@"
`;

/** Nothing here has to survive a crash. No autovacuum: it would stand in the way of cloning and dropping databases. */
const usualSettings = {
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
  // PostgreSQL's default up to 18.
  jit: 'on',
  // In the data folder instead of /dev/shm, where a killed server would leave them.
  dynamic_shared_memory_type: 'mmap',
  log_min_messages: 'log',
} as const;

const replicating = { wal_level: 'replica', max_wal_senders: '10' } as const;

/** @throws when no server's binaries are there, or it does not start */
export async function startCluster({
  hasStandby = false,
  settings = {},
  restarts = false,
  diskMegabytes,
  binaries: given,
}: ClusterOptions = {}): Promise<Cluster> {
  const port = await findFreePort();
  const standbyPort = hasStandby ? await findFreePort() : undefined;
  const user = findServerUser();
  const isOwnDisk = diskMegabytes !== undefined && user !== undefined;
  const binaries = given === undefined ? await findServerBinaries(user) : { folder: given, copy: undefined };
  const data = await mkdtemp(join(await findMemoryFolder(), 'latchkey-data-'));
  if (user !== undefined) await chown(data, user.uid, user.gid);
  const folders = binaries.copy === undefined ? [data] : [data, binaries.copy];
  const shell = ['/bin/sh', '-c', isOwnDisk ? diskMaker : keeper, 'latchkey-test-cluster', ...folders];
  const [program = '', ...args] = isOwnDisk ? ['unshare', '--mount', ...shell] : shell;
  const kept = spawn(program, args, {
    ...(isOwnDisk ? {} : user),
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
      RESTARTS: restarts ? 'yes' : '',
      DISK: `${diskMegabytes}m`,
      SERVER_UID: String(user?.uid),
      SERVER_GID: String(user?.gid),
      KEEPER: keeper,
      SETTINGS: Object.entries({
        ...usualSettings,
        ...(standbyPort === undefined ? {} : replicating),
        ...settings,
      })
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
  const folder = isOwnDisk ? `/proc/${kept.pid}/root${data}` : data;
  const processIds = (): readonly number[] => {
    const [server = ''] = readFileSync(`${folder}/pg/postmaster.pid`, 'utf8').split('\n');
    const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ');
    return [server, ...children].filter((id) => id !== '').map(Number);
  };
  return { address: addressOf(port), standbyAddress, folder, processIds, stop };
}

/** PostgreSQL refuses to run as root. */
function findServerUser(): ServerUser {
  if (process.getuid?.() !== 0) return undefined;
  const ask = (option: string): number =>
    Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: ask('-u'), gid: ask('-g') };
}
