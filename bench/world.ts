import { hash, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { uuidOfBytes } from '../src/oauth/core/bytes.ts';
import { formatClientSecret } from '../src/oauth/core/client.ts';
import { issueCode } from '../src/oauth/core/code.ts';
import { issueRefreshToken } from '../src/oauth/core/refresh.ts';
import { grants } from '../src/oauth/tables.ts';
import { personalTokens } from '../src/personal-tokens/tables.ts';
import { hashToken, hintOf, makeToken } from '../src/personal-tokens/token.ts';
import type { Db } from '../src/platform/database.ts';
import { nodeRuntime } from '../src/platform/runtime.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { encryptAccess } from '../src/scheduling/calendars/access.ts';

export const secret = 'a-root-secret-for-benchmarks-only-0123456789';
export const redirectUri = 'https://app.example/callback';
const scopes = '{PROFILE_READ,EVENT_TYPE_READ,BOOKING_READ}';
const maxUsers = 10_000;
const maxTokens = 40_000;
const hosts = 10;
const bookingsPerHost = 100;
const calendars = 5;
const sessionIdLength = 43;

export async function addConnectedClient(db: Db, grantCount: number, codeCount: number) {
  const id = randomBytes(16).toString('hex');
  const clientSecret = formatClientSecret(randomBytes(32));
  const users = Math.min(grantCount, maxUsers);
  await db.execute(sql`insert into users (email, username, name, password_hash, created_at)
    select 'user' || n || '@example.com', 'user' || n, 'User', 'none', now() from generate_series(1, ${users}::int) n`);
  await db.execute(sql`insert into sessions (id_hash, user_id, created_at, last_seen_at, expires_at)
    select rtrim(translate(encode(sha256(lpad(id::text, ${sessionIdLength}::int, '0')::bytea), 'base64'), '+/', '-_'), '='), id, now(), now(), now() + interval '1 day'
    from users`);
  await addClient(db, id);
  await db.execute(sql`insert into client_secrets (id, client_id, secret_hash, hint, created_at)
    values (gen_random_uuid(), ${id}, ${hash('sha256', clientSecret, 'base64url')}, 'hint', now())`);
  await db.execute(sql`insert into grants (id, client_id, user_id, redirect_uri, scopes, generation, issued_at, redeemed_at, rotated_at)
    select md5('grant' || n)::uuid, ${id}, 1 + n % ${users}::int, ${redirectUri}, ${scopes}::text[], 1, now(), now(), now()
    from generate_series(0, ${grantCount - 1}::int) n`);
  await db.execute(sql`insert into grants (id, client_id, user_id, redirect_uri, scopes, issued_at)
    select md5('code' || n)::uuid, ${id}, 1 + n % ${users}::int, ${redirectUri}, ${scopes}::text[], now()
    from generate_series(0, ${codeCount - 1}::int) n`);
  const secrets = createSecrets([secret]);
  const tokenCount = Math.min(grantCount, maxTokens);
  const refreshTokens = Array.from({ length: tokenCount }, (_, index) => {
    const grantId = uuidOf(`grant${Math.floor((index * grantCount) / tokenCount)}`);
    return issueRefreshToken({ grantId, generation: 1 }, secrets);
  });
  const codes = Array.from({ length: codeCount }, (_, n) => issueCode(uuidOf(`code${n}`), secrets));
  const tokens = { refreshTokens: await Promise.all(refreshTokens), codes: await Promise.all(codes) };
  return { client_id: id, client_secret: clientSecret, ...tokens };
}

export async function addClient(db: Db, id: string): Promise<void> {
  await db.execute(sql`insert into clients (id, owner_id, name, purpose, type, redirect_uris, scopes, status, created_at, submitted_at)
    values (${id}, 1, 'Bench', 'Measuring', 'confidential', array[${redirectUri}], ${scopes}::text[], 'accepted', now(), now())`);
}

/** Each grant gets a token that its person might have made. */
export async function addPersonalTokens(db: Db): Promise<readonly string[]> {
  const grantIds = await db
    .select({ id: grants.id, clientId: grants.clientId, userId: grants.userId })
    .from(grants);
  const expiresAt = new Date(Date.now() + 86_400_000);
  const made = grantIds.map(({ id: grantId, ...of }) => ({
    ...of,
    grantId,
    token: makeToken(nodeRuntime),
  }));
  await db.insert(personalTokens).values(
    made.map(({ token, ...of }) => ({
      ...of,
      formKey: of.grantId,
      name: 'Bench',
      tokenHash: hashToken(token),
      hint: hintOf(token),
      createdAt: new Date(),
      expiresAt,
    })),
  );
  return made.map(({ token }) => token);
}

export const sessionIdOf = (userId: number): string => String(userId).padStart(sessionIdLength, '0');

const uuidOf = (name: string): string => uuidOfBytes(hash('md5', name, 'buffer'));

/** The team's event type has 10 hosts with 1,000 bookings each; 5 have a calendar elsewhere. */
export async function addHosts(db: Db, feedUrl: string): Promise<void> {
  await db.execute(sql`insert into users (email, username, name, password_hash, time_zone, created_at)
    select 'host' || n || '@example.com', 'host' || n, 'Host', 'none', 'Europe/Berlin', now() from generate_series(1, ${hosts}::int) n`);
  await db.execute(
    sql`insert into groups (kind, slug, name, created_at) values ('team', 'team', 'Team', now())`,
  );
  await db.execute(sql`insert into event_types (team_id, slug, title, length_in_minutes, slot_interval, scheduling_type, created_at, updated_at)
    values (1, 'talk', 'Talk', 30, 15, 'collective', now(), now())`);
  await db.execute(sql`insert into memberships (group_id, kind, user_id, role)
    select 1, 'team', id, 'member' from users where username like 'host%'`);
  await db.execute(
    sql`insert into event_type_hosts (event_type_id, team_id, user_id) select 1, 1, user_id from memberships`,
  );
  await db.execute(sql`insert into event_types (user_id, slug, title, length_in_minutes, created_at, updated_at)
    select user_id, 'call', 'Call', 30, now(), now() from memberships order by user_id`);
  await db.execute(sql`insert into bookings (uid, ics_uid, title, status, starts_at, ends_at, attendee_name, attendee_email,
      attendee_time_zone, guests, responses, metadata, created_at, updated_at)
    select 'b' || h || '-' || n, 'b', 'x', 'accepted', at, at + interval '30 minutes', 'x', 'x@example.com', 'UTC', '{}', '{}', '{}', now(), now()
    from generate_series(1, ${hosts}::int) h, generate_series(0, ${bookingsPerHost - 1}::int) n,
      lateral (select timestamptz '2031-06-01 07:00Z' + (n % 30) * interval '1 day' + (n / 30) * interval '2 hours' as at) times`);
  await db.execute(sql`insert into booking_hosts (booking_id, user_id, starts_at, ends_at, before_buffer, after_buffer, holds, booked_at)
    select bookings.id, users.id, starts_at, ends_at, 5, 5, true, now()
    from bookings join users on username = 'host' || substring(uid from 'b(\\d+)-')`);
  const access = encryptAccess(createSecrets([secret]), { kind: 'ics_feed', urls: [feedUrl] });
  await db.execute(sql`insert into calendars (user_id, kind, name, encrypted_access, created_at)
    select user_id, 'ics_feed', 'Feed', ${Buffer.from(access)}::bytea, now() from memberships order by user_id limit ${calendars}`);
}

export const feed = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Bench//EN
BEGIN:VEVENT
UID:lunch
DTSTAMP:20300101T000000Z
DTSTART:20310101T103000Z
DTEND:20310101T111500Z
RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR
SUMMARY:Lunch
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n');
