import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueCode } from '../../src/oauth/core/code.ts';
import { issueRefreshToken } from '../../src/oauth/core/refresh.ts';
import { grants } from '../../src/oauth/tables.ts';
import { addEventType, type TestEventType } from '../support/booking.ts';
import { attendee } from '../support/bookings-api.ts';
import { queryRows } from '../support/query-rows.ts';
import type { TestService } from '../support/service.ts';
import { refreshFields, type TokenFields, tokenPath } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  authorizePath,
  clientFields,
  createPkce,
  signIn,
  type TestClient,
} from '../support/world.ts';

/** Then a client gives a request up, and sends it again. */
const patienceMs = 6000;
const retryCutAfterMs = 100;
const hostedSlots = `select uid, user_id || ' ' || hosted.starts_at as slot
  from bookings join booking_hosts hosted on booking_id = bookings.id where status = 'accepted'`;
const steps = ['exchange', 'book', 'listSlots', 'openConsent'] as const;
type Step = (typeof steps)[number];
type Act = Step | 'refresh';

/** Someone who was given refresh tokens: the newest three, the newest first. */
interface Holder {
  readonly grantId: string;
  readonly client: TestClient;
  readonly tokens: string[];
  isLost: boolean;
}

/** What was answered, and, as texts, what is wrong. */
export interface Ledger extends Readonly<Record<'lost' | 'doubled' | 'falseThefts' | 'stray', string[]>> {
  readonly statuses: Map<string, number>;
  acknowledged: number;
}

/**
 * Well-made clients of a service at `address`, and a ledger of what they were answered. `paces`:
 * for each act how many do it at a time, and their pause in milliseconds.
 */
export async function openLoad(service: TestService, paces: Partial<Record<Act, readonly [number, number]>>) {
  const { db, url } = service.database;
  const ledger: Ledger = {
    statuses: new Map(),
    acknowledged: 0,
    lost: [],
    doubled: [],
    falseThefts: [],
    stray: [],
  };
  /** When each act was last acknowledged. */
  const lastAt = new Map<Act, number>();
  const clients = [await addClient(service), await addClient(service, { type: 'public' })] as const;
  const users = await Promise.all([1, 2, 3, 4].map(() => addUser(service)));
  const eventTypes: TestEventType[] = await Promise.all(users.map((user) => addEventType(service, user)));
  const { verifier, challenge } = createPkce();
  const cookie = await signIn(service, await addUser(service));
  const codes: { readonly grantId: string; readonly client: TestClient; readonly fields: TokenFields }[] = [];
  const holders: Holder[] = [];
  const booked: string[] = [];
  const stopping = new AbortController();
  const pause = (ms: number): Promise<unknown> =>
    sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
  let [address, slotsGiven, turn] = ['', 0, 0];

  /** Every other grant is of the public client. */
  async function addGrants(count: number, generation: number) {
    const issuedAt = new Date();
    const redeemedAt = generation === 0 ? null : issuedAt;
    const state = { codeChallenge: challenge, generation, issuedAt, redeemedAt, rotatedAt: redeemedAt };
    const added = Array.from({ length: count }, (_, index) => {
      const client = clients[index % 2] ?? clients[0];
      return { grantId: randomUUID(), client, userId: users[index % users.length]?.id ?? 0 };
    });
    await db.insert(grants).values(
      added.map(({ grantId: id, client: { id: clientId, redirectUri }, userId }) => {
        return { id, clientId, redirectUri, userId, ...state };
      }),
    );
    return added;
  }

  /** So that there are so many; they expire after CODE_TTL_SECONDS. */
  async function fillCodes(wanted: number): Promise<void> {
    if (codes.length >= wanted) return;
    for (const { grantId, client } of await addGrants(wanted - codes.length, 0)) {
      const code = await issueCode(grantId, service.rootSecret);
      const proof = { code, redirect_uri: client.redirectUri, code_verifier: verifier };
      const fields = { ...clientFields(client), grant_type: 'authorization_code', ...proof };
      codes.push({ grantId, client, fields });
    }
  }

  /**
   * Sends a request until it is answered for good: after Retry-After, or soon where it was cut.
   * `isRepeated`: nobody knows what came of it before.
   */
  async function ask(path: string, init: RequestInit) {
    for (let isRepeated = false; ; isRepeated = true) {
      const sent = { ...init, signal: AbortSignal.timeout(patienceMs), redirect: 'manual' } as const;
      const answer = await fetch(`${address}${path}`, sent)
        .then(async (it) => [it.status, it.headers.get('retry-after'), await it.text()] as const)
        .catch((error: Error) => [error.name === 'TimeoutError' ? 504 : 502, null, ''] as const);
      const [status, retryAfter, text] = answer;
      // 502 is also the proxy's, when an instance hangs up.
      const unanswered = status === 502 ? 'cut' : status === 504 ? 'given up' : undefined;
      const name = unanswered ?? String(status);
      ledger.statuses.set(name, (ledger.statuses.get(name) ?? 0) + 1);
      const isForGood = status !== 503 || retryAfter === null;
      if (unanswered === undefined && isForGood) return { status, text, isRepeated };
      await sleep(unanswered === undefined ? Number(retryAfter) * 1000 : retryCutAfterMs);
    }
  }

  const post = (fields: TokenFields) => ask(tokenPath, { method: 'POST', body: new URLSearchParams(fields) });

  function acknowledge(act: Act): void {
    ledger.acknowledged += 1;
    lastAt.set(act, performance.now());
  }

  function complain(what: string, { status, text }: Awaited<ReturnType<typeof ask>>): void {
    const isStray = status >= 500 || status === 429 || what === 'a page';
    (isStray ? ledger.stray : ledger.lost).push(`${what}: ${status} ${text.slice(0, 200)}`);
  }

  /** Several tabs must all get the same successor, and each access token is used. */
  async function refresh(holder: Holder, tabs = 1): Promise<void> {
    const { client, tokens } = holder;
    const fields = refreshFields(client, tokens[0] ?? '');
    const answers = await Promise.all(Array.from({ length: tabs }, () => post(fields)));
    const refused = answers.find(({ status }) => status !== 200);
    if (refused !== undefined) {
      holder.isLost = true;
      return complain('an acknowledged refresh token', refused);
    }
    const given = answers.map(({ text }) => JSON.parse(text));
    const successors = new Set<string>(given.map(({ refresh_token: token }) => token));
    if (successors.size > 1) ledger.doubled.push('two tabs were given different refresh tokens');
    tokens.unshift(...successors);
    tokens.splice(3);
    for (const { access_token: token } of given) {
      acknowledge('refresh');
      const answer = await ask('/v2/me', { headers: { authorization: `Bearer ${token}` } });
      if (answer.status !== 200) complain('an access token', answer);
    }
  }

  async function exchange(): Promise<void> {
    const code = codes.shift();
    if (code === undefined) return;
    const answer = await post(code.fields);
    if (answer.status === 200) {
      holders.push({ ...code, tokens: [JSON.parse(answer.text).refresh_token], isLost: false });
      acknowledge('exchange');
    } else if (!(answer.isRepeated && answer.text.includes('code_invalid_or_expired'))) {
      // Repeated, it may be used: its answer was lost, and nobody holds the tokens (contract §4).
      complain('a code', answer);
    }
  }

  async function open(act: Act, path: string, headers: Record<string, string>): Promise<void> {
    const answer = await ask(path, { headers });
    if (answer.status === 200) acknowledge(act);
    else complain('a page', answer);
  }

  /** Half hours from nine to five in Berlin, on working days in summer, of each host in turn. */
  function nextSlot(): { readonly eventTypeId: number; readonly start: string } {
    const [host, index] = [slotsGiven % eventTypes.length, Math.floor(slotsGiven / eventTypes.length)];
    slotsGiven += 1;
    const days = Math.floor(index / 80) * 7 + Math.floor((index % 80) / 16);
    const start = Date.parse('2031-06-02T07:00Z') + days * 86_400_000 + (index % 16) * 1_800_000;
    return { eventTypeId: eventTypes[host]?.id ?? 0, start: new Date(start).toISOString() };
  }

  /** From a network of its own each time, because so many from one are too many. */
  const anyNetwork = () => ({ 'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}` });

  /** Every third slot two people want. */
  async function book(): Promise<void> {
    const slot = nextSlot();
    const request = { method: 'POST', body: JSON.stringify({ ...slot, attendee }) };
    const json = { 'content-type': 'application/json' };
    const rivals = Array.from({ length: slotsGiven % 3 === 0 ? 2 : 1 }, () => {
      const headers = { ...json, ...anyNetwork(), 'idempotency-key': randomUUID() };
      return ask('/v2/bookings', { ...request, headers });
    });
    const answers = await Promise.all(rivals);
    const won = answers.filter(({ status }) => status === 201);
    for (const { text } of won) {
      booked.push(JSON.parse(text).data.uid);
      acknowledge('book');
    }
    if (won.length > 1) ledger.doubled.push(`two were given ${slot.start}`);
    const mayRefuse = won.length > 0 ? 409 : 0;
    for (const answer of answers)
      if (answer.status !== 201 && answer.status !== mayRefuse) complain('a slot', answer);
  }

  // Full access would take a recent sign-in.
  const asking = await addClient(service, { scopes: ['PROFILE_READ'] });
  const { id: client_id, redirectUri: redirect_uri } = asking;
  const consentPath = `${authorizePath}?${new URLSearchParams({ client_id, redirect_uri }).toString()}`;
  const doing: Record<Step, () => Promise<unknown>> = {
    exchange,
    book,
    listSlots: () => {
      const query = `eventTypeId=${eventTypes[turn++ % 4]?.id}&start=2032-06-07&end=2032-06-12`;
      return open('listSlots', `/v2/slots?${query}`, anyNetwork());
    },
    openConsent: () => open('openConsent', consentPath, { cookie }),
  };

  const running: Promise<void>[] = [];
  async function keepDoing(act: () => Promise<unknown>, pauseMs: number): Promise<void> {
    await pause(Math.random() * pauseMs);
    for (; !stopping.signal.aborted; await pause(pauseMs)) await act();
  }

  const [refreshers = 0, refreshPauseMs = 0] = paces.refresh ?? [];
  for (const { grantId, client } of await addGrants(refreshers, 1)) {
    const first = await issueRefreshToken({ grantId, generation: 1 }, service.rootSecret);
    holders.push({ grantId, client, tokens: [first], isLost: false });
  }

  return {
    ledger,
    fillCodes,
    start(at: string): void {
      address = at;
      for (const holder of [...holders]) {
        const step = async () => holder.isLost || refresh(holder, turn++ % 4 === 0 ? 2 : 1);
        running.push(keepDoing(step, refreshPauseMs));
      }
      for (const act of steps) {
        const [count, pauseMs] = paces[act] ?? [0, 0];
        for (let index = 0; index < count; index += 1) running.push(keepDoing(doing[act], pauseMs));
      }
    },
    /** Until each act was acknowledged after that moment; in milliseconds. */
    async recoveryFrom(moment: number, atMostMs: number): Promise<number> {
      const wanted = (['refresh', ...steps] as const).filter((act) => paces[act] !== undefined);
      for (;;) {
        const times = wanted.map((act) => lastAt.get(act) ?? 0);
        if (times.every((at) => at > moment)) return Math.max(...times) - moment;
        if (performance.now() - moment > atMostMs) {
          ledger.stray.push(`no recovery within ${atMostMs} ms`);
          return atMostMs;
        }
        await sleep(10);
      }
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(running);
    },
    /** Uses all that was acknowledged once more, and compares it with the database. */
    async audit(): Promise<void> {
      for (const holder of holders) {
        if (!holder.isLost) await refresh(holder);
        const { client, tokens, isLost } = holder;
        const [, , spent] = tokens;
        // A public client's would end the grant, and rightly so.
        if (isLost || spent === undefined || client.type === 'public') continue;
        const { status } = await post(refreshFields(client, spent));
        if (status === 200) ledger.doubled.push('a spent refresh token has a successor');
      }
      const revoked = 'select id, revocation_reason as reason from grants where revoked_at is not null';
      for (const { id, reason } of await queryRows(url, revoked))
        if (holders.some(({ grantId }) => grantId === id)) ledger.falseThefts.push(String(reason));
      const kept = await queryRows(url, hostedSlots);
      for (const one of booked)
        if (!kept.some(({ uid }) => uid === one)) ledger.lost.push(`the booking ${one}`);
      const slots = kept.map(({ slot }) => String(slot));
      for (const [index, one] of slots.entries())
        if (slots.indexOf(one) < index) ledger.doubled.push(`${one} is booked twice`);
    },
  };
}
