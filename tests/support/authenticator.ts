import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { LightMyRequestResponse } from 'fastify';
import { allCookiesOf } from './accounts.ts';
import { textOf } from './page-content.ts';
import type { TestService } from './service.ts';
import { deviceCookieOf, hiddenFieldsOf, postForm, type TestUser } from './world.ts';

/** What an authenticator answers with, unless a test wants it wrong. */
export interface Answer {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
  readonly type: string;
  readonly isPresent: boolean;
  readonly isVerified: boolean;
  readonly counter: number;
  readonly userHandle: string | undefined;
  readonly fmt: string;
  /** COSE; undefined: its own. */
  readonly key: Buffer | undefined;
  /** The attestation statement. */
  readonly statement: Cbor;
}

export interface Authenticator {
  readonly id: string;
  /** JSON as our script sends it (WebAuthn Level 3 §5.1), for the options that a page has. */
  create(options: string, changes?: Partial<Answer>): string;
  get(options: string, changes?: Partial<Answer>): string;
}

export type Cbor = Parameters<typeof isoCBOR.encode>[0];

const text64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
export const cborOf = (entries: readonly (readonly [string | number, Cbor])[]): Buffer =>
  Buffer.from(isoCBOR.encode(new Map(entries)));

/** A passkey in software: ES256, no attestation, its counter as it's told. */
export function createAuthenticator({ appUrl }: Pick<TestService, 'appUrl'>): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const idBytes = randomBytes(32);
  const id = text64(idBytes);
  const cose = cborOf([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
  let handle: string | undefined;

  const answerTo = (options: string, type: string, changes: Partial<Answer>): Answer => {
    const { challenge } = JSON.parse(options);
    const usual = { origin: appUrl, rpId: new URL(appUrl).hostname, isPresent: true, isVerified: true };
    return {
      challenge,
      ...usual,
      type,
      counter: 0,
      userHandle: handle,
      fmt: 'none',
      key: undefined,
      statement: new Map(),
      ...changes,
    };
  };
  const clientDataOf = ({ type, challenge, origin }: Answer): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const headOf = ({ rpId, isPresent, isVerified, counter }: Answer, flags = 0): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([
      sha256(rpId),
      Buffer.from([(isPresent ? 1 : 0) | (isVerified ? 4 : 0) | flags]),
      count,
    ]);
  };
  const credentialOf = (response: object): string =>
    JSON.stringify({ id, rawId: id, type: 'public-key', response });

  return {
    id,
    create(options, changes = {}) {
      handle = JSON.parse(options).user.id;
      const answer = answerTo(options, 'webauthn.create', changes);
      const idLength = Buffer.from([0, idBytes.length]);
      const authData = Buffer.concat([
        headOf(answer, 0x40),
        Buffer.alloc(16),
        idLength,
        idBytes,
        answer.key ?? cose,
      ]);
      const attestationObject = cborOf([
        ['fmt', answer.fmt],
        ['attStmt', answer.statement],
        ['authData', authData],
      ]);
      return credentialOf({
        clientDataJSON: text64(clientDataOf(answer)),
        attestationObject: text64(attestationObject),
      });
    },
    get(options, changes = {}) {
      const answer = answerTo(options, 'webauthn.get', changes);
      const [clientData, authData] = [clientDataOf(answer), headOf(answer)];
      const signed = Buffer.concat([authData, sha256(clientData)]);
      return credentialOf({
        clientDataJSON: text64(clientData),
        authenticatorData: text64(authData),
        signature: text64(createSign('sha256').update(signed).sign(privateKey)),
        userHandle: answer.userHandle,
      });
    },
  };
}

export const securityHome = '/settings/security';
export const firstPath = '/signin/passkey';
export const secondPath = '/signin/second-factor';
const codePath = '/signin/recovery-code';

/** A page that asks for a passkey: its options, and the cookies that it goes with. */
export interface Asking {
  readonly page: LightMyRequestResponse;
  readonly options: string;
  readonly cookie: string;
}

export async function openAsking({ app }: TestService, url: string, cookie = ''): Promise<Asking> {
  const page = await app.inject({ url, headers: { cookie } });
  return askingOf(page, cookie);
}

/** What a page asks the browser for, as JSON. */
export function optionsOn(html: string): string {
  return textOf(/data-options="([^"]*)"/.exec(html)?.[1] ?? '');
}

function askingOf(page: LightMyRequestResponse, cookie: string): Asking {
  const options = optionsOn(page.body);
  return { page, options, cookie: [cookie, allCookiesOf(page)].filter(Boolean).join('; ') };
}

/** Sends the form of such a page. */
export async function answer(
  service: TestService,
  path: string,
  { page, cookie }: Asking,
  credential: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<LightMyRequestResponse> {
  return postForm(service, path, { ...hiddenFieldsOf(page.body), credential, ...fields }, cookie);
}

/** Sends a recovery code instead. */
export async function enterCode(
  service: TestService,
  asking: Asking,
  code: string,
): Promise<LightMyRequestResponse> {
  return answer(service, codePath, asking, '', { code });
}

/** Adds a passkey on its page; answers whatever comes. */
export async function addOnPage(
  service: TestService,
  cookie: string,
  authenticator: Authenticator,
  changes: Partial<Answer> = {},
  name = 'Test passkey',
): Promise<LightMyRequestResponse> {
  const path = `${securityHome}/passkeys/new`;
  const asking = await openAsking(service, path, cookie);
  return answer(service, path, asking, authenticator.create(asking.options, changes), { name });
}

/** The codes that a page shows this once. */
export function codesOn({ body }: LightMyRequestResponse): readonly string[] {
  return [...body.matchAll(/<li><code>([\w-]+)<\/code>/g)].map(([, code = '']) => code);
}

/** Sends the password in the person's own browser; a person with passkeys is asked for one then. */
export async function openSecondFactor(
  service: TestService,
  user: TestUser,
  { returnTo = '/', device = deviceCookieOf(service, user) } = {},
): Promise<Asking> {
  const { email, password } = user;
  const sent = await postForm(service, '/signin', { email, password, return_to: returnTo }, device);
  const cookie = [device, allCookiesOf(sent)].filter(Boolean).join('; ');
  return openAsking(service, String(sent.headers.location), cookie);
}
