import { asc, eq, inArray, lt, sql } from 'drizzle-orm';
import { errors, type JSONWebKeySet } from 'jose';
import type { AuditSentences } from '../platform/audit/actions.ts';
import { type AuditContext, systemContext } from '../platform/audit/context.ts';
import { recordAuditEvent } from '../platform/audit/store.ts';
import { advisoryLocks, type Db } from '../platform/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { ExpiredOf } from '../platform/retention/store.ts';
import type { Secrets } from '../platform/secrets.ts';
import {
  type GeneratedKey,
  generateRsaKey,
  generateSigningKey,
  nodeRsaSigner,
  nodeSigner,
} from '../platform/signing-key.ts';
import type { KeyLookup, RsaSigner, Signer } from './core/access-token.ts';
import type { IdTokenAlgorithm } from './core/client.ts';
import { decideKeyStates, keyMarginSeconds, newestFirst } from './core/key-rotation.ts';
import { type HeldKey, holdKeys, type PublicKey } from './held-keys.ts';
import { idTokenKeys, retiredKeys, signingKeys } from './tables.ts';

declare module '../platform/platform.ts' {
  interface Platform {
    readonly keys: Keyring;
  }
}

export interface Keyring {
  signer(): Signer;
  /** Signs ID tokens with RS256. The first key is made when it is first needed. */
  idTokenSigner(): Promise<RsaSigner>;
  /** Waits for a first key of each algorithm, without which nobody should read {@link jwks}. */
  fill(): Promise<void>;
  /** The set has next, active and retiring keys (RFC 7517). */
  jwks(): JSONWebKeySet;
  /** Finds keys of access tokens. */
  lookUp(): KeyLookup;
  /** Finds keys of ID tokens, also of those that came long ago. */
  readonly lookUpHint: KeyLookup;
  /** Leaves out keys that nobody has needed yet. */
  renew(): Promise<void>;
  /** Waits for what is under way. */
  settle(): Promise<void>;
}

type Opening = Pick<Platform, 'db' | 'runtime' | 'secrets'> & { readonly log?: AuditContext['log'] };

/** Keys of one kind rotate in a table of their own. */
interface KeyKind<Signs> {
  readonly algorithm: IdTokenAlgorithm;
  readonly table: typeof signingKeys | typeof idTokenKeys;
  generate(): Promise<GeneratedKey>;
  signerOf(id: string, privateKey: Uint8Array): Signs;
}

const accessTokenKind: KeyKind<Signer> = {
  algorithm: 'ES256',
  table: signingKeys,
  generate: generateSigningKey,
  signerOf: nodeSigner,
};

const idTokenKind: KeyKind<RsaSigner> = {
  algorithm: 'RS256',
  table: idTokenKeys,
  generate: generateRsaKey,
  signerOf: nodeRsaSigner,
};

const kinds = { ES256: accessTokenKind, RS256: idTokenKind } as const;

type KeyRow = typeof signingKeys.$inferSelect;

export const keyPurpose = 'signing-key';

/** Without `signsIdTokens`, there is no key for RS256, and none is made. */
export async function openKeyring(app: Opening, signsIdTokens = false): Promise<Keyring> {
  const open = <Signs>(kind: KeyKind<Signs>) =>
    holdKeys(
      kind.algorithm,
      async () => (await renewKeys(app, kind)).map((row) => hold(row, app.secrets, kind)),
      app.runtime,
    );
  const accessTokens = open(accessTokenKind);
  await accessTokens.renew();
  const idTokens = signsIdTokens ? open(idTokenKind) : undefined;
  const all = [accessTokens, ...(idTokens === undefined ? [] : [idTokens])];
  return {
    signer: () => accessTokens.signer(),
    async idTokenSigner() {
      if (idTokens === undefined) throw new Error('no part signs ID tokens');
      await idTokens.fill();
      return idTokens.signer();
    },
    async fill() {
      for (const one of all) await one.fill();
    },
    jwks: () => ({ keys: all.flatMap((one) => one.published().keys) }),
    lookUp: () => accessTokens.lookUp(),
    async lookUpHint(header, token) {
      const keys = all.find(({ algorithm }) => algorithm === header.alg);
      if (keys === undefined) throw new errors.JWKSNoMatchingKey();
      await keys.fill();
      const retired = keys.has(header.kid) ? undefined : await findRetired(app.db, header.kid);
      return (retired === undefined ? keys.lookUp() : keys.lookUpIn(retired))(header, token);
    },
    async renew() {
      for (const one of all) if (one.isFilled()) await one.renew();
    },
    async settle() {
      for (const one of all) await one.settle();
    },
  };
}

/** The sender of a hint chooses its header, so only what can be an id is looked for. */
async function findRetired(db: Db, kid = ''): Promise<PublicKey | undefined> {
  if (!/^[\w-]{43}$/.test(kid)) return undefined; // protects: C342
  const [found] = await db.select().from(retiredKeys).where(eq(retiredKeys.id, kid));
  return found;
}

async function readKeys(db: Db, { table }: Pick<KeyKind<unknown>, 'table'>): Promise<readonly KeyRow[]> {
  return db.select().from(table).orderBy(asc(table.activeAt));
}

/** RSA takes long, and the embedded database has one connection, so keys are made before. */
async function renewKeys({ db, runtime, secrets, log }: Opening, kind: KeyKind<unknown>) {
  const known = await readKeys(db, kind);
  const { gone, wantedAt } = decideKeyStates(known, runtime.now());
  if (gone.length === 0 && wantedAt === undefined) return newestFirst(known);
  const made = wantedAt === undefined ? undefined : await kind.generate();
  return db.transaction(async (tx) => {
    await lockKeys(tx);
    const rows = await readKeys(tx, kind);
    const by = systemContext(runtime.now(), log);
    const states = decideKeyStates(rows, by.at);
    await retireKeys(tx, kind, states.gone, by);
    const kept = rows.filter((row) => !states.gone.includes(row));
    if (states.wantedAt === undefined) return newestFirst(kept);
    const key = made ?? (await kind.generate());
    return newestFirst([...kept, await addKey(tx, kind, rowOf(secrets, key, states.wantedAt), by)]);
  });
}

async function lockKeys(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.signingKeys})`);
}

export const keyAudit = {
  'key.created': 'A signing key was created',
  'key.deleted': 'A signing key was deleted',
} as const satisfies AuditSentences;

/** Deletes the private halves. An app may still hold an ID token of theirs. */
async function retireKeys(tx: Db, { table }: KeyKind<unknown>, gone: readonly KeyRow[], by: AuditContext) {
  if (gone.length === 0) return;
  const goneIds = gone.map(({ id }) => id);
  await tx.delete(table).where(inArray(table.id, goneIds));
  const retired = gone.map(({ id, publicJwk }) => ({ id, publicJwk, retiredAt: by.at }));
  await tx.insert(retiredKeys).values(retired).onConflictDoNothing();
  for (const objectId of goneIds) await recordAuditEvent(tx, by, { action: 'key.deleted', objectId });
}

const rowOf = (secrets: Secrets, { id, publicJwk, privateKey }: GeneratedKey, activeAt: Date): KeyRow => {
  const encryptedPrivateKey = secrets.encrypt(keyPurpose, privateKey);
  return { id, publicJwk, encryptedPrivateKey, activeAt };
};

async function addKey(tx: Db, { table }: KeyKind<unknown>, row: KeyRow, by: AuditContext): Promise<KeyRow> {
  await tx.insert(table).values(row);
  await recordAuditEvent(tx, by, { action: 'key.created', objectId: row.id });
  return row;
}

export const noKeysWords = 'There are none yet; a start makes them.';

export async function listKeys({ db, runtime, secrets }: Opening) {
  const now = runtime.now();
  const listed = await Promise.all(
    Object.values(kinds).map(async (kind) => {
      const rows = await readKeys(db, kind);
      const { active, gone } = decideKeyStates(rows, now);
      return rows.map((row) => ({
        id: row.id,
        algorithm: kind.algorithm,
        state:
          row === active ? 'active' : gone.includes(row) ? 'gone' : row.activeAt > now ? 'next' : 'retiring',
        activeAt: row.activeAt,
        isReadable: secrets.decrypt(keyPurpose, row.encryptedPrivateKey) !== undefined,
      }));
    }),
  );
  return listed.flat();
}

/** Former keys stay published until their last tokens have expired. */
export async function rotateKeys(
  { db, runtime, secrets, log }: Opening,
  isNow: boolean,
  algorithm: IdTokenAlgorithm = 'ES256',
): Promise<KeyRow> {
  const kind = kinds[algorithm];
  const made = await kind.generate();
  return db.transaction(async (tx) => {
    await lockKeys(tx);
    const by = systemContext(runtime.now(), log);
    const rows = await readKeys(tx, kind);
    if (isNow || rows.length === 0) return addKey(tx, kind, rowOf(secrets, made, by.at), by);
    const next = rows.find(({ activeAt }) => activeAt > by.at);
    const nextAt = new Date(by.at.getTime() + keyMarginSeconds * 1000);
    return next ?? addKey(tx, kind, rowOf(secrets, made, nextAt), by);
  });
}

/**
 * Deletes one key, or all. What it signed is void when an instance reads the keys again, within a
 * minute; a key is made where none is left.
 */
export async function deleteKeys({ db, runtime, log }: Omit<Opening, 'secrets'>, id: string | undefined) {
  return db.transaction(async (tx) => {
    await lockKeys(tx);
    const by = systemContext(runtime.now(), log);
    const deleted = [];
    // protects: C342
    for (const table of [signingKeys, idTokenKeys, retiredKeys] as const) {
      const which = id === undefined ? undefined : eq(table.id, id);
      deleted.push(...(await tx.delete(table).where(which).returning({ id: table.id })));
    }
    for (const key of deleted) await recordAuditEvent(tx, by, { action: 'key.deleted', objectId: key.id });
    return deleted.length;
  });
}

function hold<Signs>(
  row: KeyRow,
  secrets: Secrets,
  { signerOf: makeSigner }: KeyKind<Signs>,
): HeldKey<Signs> {
  const privateKey = secrets.decrypt(keyPurpose, row.encryptedPrivateKey);
  if (privateKey === undefined) {
    throw new Error(
      "SECRET can't decrypt the stored signing keys. Add the previous secret after the new one, separated by a comma, or restore DATA_DIR/secret.",
    );
  }
  const { id, activeAt, publicJwk } = row;
  return { id, activeAt, publicJwk, signer: makeSigner(id, privateKey) };
}

const keptSeconds = 365 * 24 * 3600;

/** An app may hold an ID token for as long as its grant refreshes, or as it remembers a person. */
export const expiredKeys: ExpiredOf = (now, { lifetimes: { refreshMaxSeconds } }) => {
  const until = new Date(now.getTime() - Math.max(refreshMaxSeconds, keptSeconds) * 1000);
  return { table: retiredKeys, isExpired: lt(retiredKeys.retiredAt, until) };
};
