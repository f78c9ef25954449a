import { readFileSync } from 'node:fs';
import postgres from 'postgres';

export interface DriverOptions {
  readonly maxConnections?: number;
  readonly limitMs?: number;
  /** A pooler takes no settings; one that shares out transactions, no prepared statements. */
  readonly pooler?: 'off' | 'session' | 'transaction';
}

const defaultLimitMs = 5000;
/** The server gives a statement up first, so that the connection can be kept. */
const silenceFactor = 1.2;

/**
 * Nothing waits forever: what exceeds the limit fails with an error that `isDatabaseAway` knows. A
 * silent connection is dropped with the idle ones, which lead to the same server
 * (patches/README.md).
 */
export function openDriver(url: string, options: DriverOptions): postgres.Sql {
  const { maxConnections = 10, limitMs = defaultLimitMs, pooler = 'off' } = options;
  const silenceSeconds = (limitMs * silenceFactor) / 1000;
  const sql = connectTo(url, {
    max: maxConnections,
    connect_timeout: silenceSeconds,
    backoff: secondsToReconnect,
    prepare: pooler !== 'transaction',
    connection: { application_name: 'latchkey', ...(pooler === 'off' ? settingsFor(limitMs) : {}) },
  });
  Object.assign(sql.options, { answer_timeout: silenceSeconds });
  return prepareStatements(limitWait(sql, limitMs));
}

function settingsFor(limitMs: number) {
  return {
    statement_timeout: limitMs,
    // A process that is paused must not keep its locks.
    idle_in_transaction_session_timeout: 2 * limitMs,
    // Compiling a statement takes many times as long as running it.
    jit: 'off', // protects: C240
    // Statements that meet would fail under any other.
    default_transaction_isolation: 'read committed',
  } as const;
}

function readAuthority(path: string): Buffer {
  let authority: Buffer;
  try {
    authority = readFileSync(path);
  } catch (error) {
    const { code } = Object(error);
    const cause = /^[~$]/.test(path) ? ': only a shell expands ~ and $' : '';
    throw new Error(`sslrootcert of DATABASE_URL names a file that can't be read (${code})${cause}`);
  }
  if (!authority.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error('sslrootcert of DATABASE_URL names a file without a certificate in PEM');
  return authority;
}

/**
 * Takes libpq's parameters, too. The driver lacks `sslrootcert`, with which certificates are
 * verified.
 */
export function connectTo(url: string, options: postgres.Options<Record<string, never>>): postgres.Sql {
  const [address = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const authority = parameters.get('sslrootcert');
  parameters.delete('sslrootcert');
  if (authority !== null) parameters.delete('sslmode');
  return postgres(`${address}?${parameters}`, {
    ...options,
    ...(authority === null
      ? {}
      : { ssl: authority === 'system' ? 'verify-full' : { ca: readAuthority(authority) } }),
    fetch_types: false,
    onnotice: () => {},
  });
}

/**
 * The driver's own delays grow to 20 s, in which requests would hang although the server is back.
 */
function secondsToReconnect(failures: number): number {
  return Math.min(0.05 * 2 ** failures, 1);
}

function limitWait(sql: postgres.Sql, limitMs: number): postgres.Sql {
  const { unsafe } = sql;
  return Object.assign(sql, {
    unsafe(text: string, parameters: Parameters<typeof unsafe>[1], options: DriverQueryOptions = {}) {
      const limited: DriverQueryOptions = {
        ...options,
        onexecute(connection) {
          clearTimeout(timer);
          options.onexecute?.(connection);
        },
      };
      const query = unsafe(text, parameters, limited);
      const timer = setTimeout(() => query.cancel(), limitMs).unref(); // protects: C65
      return query;
    },
  });
}

/** The driver calls `onexecute`, made for transactions, when there is a connection. */
interface DriverQueryOptions extends postgres.UnsafeQueryOptions {
  readonly onexecute?: (connection: unknown) => void;
}

/** A longer list is a different statement with each length, unless it was built once. */
const maxPreparedParameters = 24;

/**
 * Drizzle prepares only named queries. A planned statement takes one round trip, not two (ADR 7).
 */
function prepareStatements(sql: postgres.Sql): postgres.Sql {
  const { begin } = sql;
  prepareUnsafe(sql);
  return Object.assign(sql, {
    begin: (run: (tx: postgres.TransactionSql) => Promise<unknown>) =>
      // Behind a pooler no setting goes with the connection.
      begin('isolation level read committed', (tx) => {
        prepareUnsafe(tx);
        return run(tx);
      }),
  });
}

function prepareUnsafe(sql: Pick<postgres.ISql, 'unsafe'>): void {
  const { unsafe } = sql;
  sql.unsafe = (text, parameters = [], options = {}) => {
    const isShort = parameters.length > 0 && parameters.length <= maxPreparedParameters;
    const prepare = options.prepare === true || isShort;
    return unsafe(text, parameters, { ...options, prepare });
  };
}
