import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const dayMs = 86_400_000;
const ecdsaWithSha256 = Buffer.from('06082a8648ce3d040302', 'hex');
const commonNameOid = Buffer.from('0603550403', 'hex');

/** A certificate that signs itself, good for a day, for a server whose visitors do not look at it closely (X.509 v1, RFC 5280). */
export function createCertificate(name: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, ecdsaWithSha256);
  const holder = der(0x30, der(0x31, der(0x30, commonNameOid, der(0x0c, Buffer.from(name)))));
  const now = Date.now();
  const facts = der(
    0x30,
    der(0x02, Buffer.from([1]), randomBytes(8)),
    algorithm,
    holder,
    der(0x30, utcTime(now - dayMs), utcTime(now + dayMs)),
    holder,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', facts, privateKey);
  const whole = der(0x30, facts, algorithm, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

/** A value in DER: its tag, its length, its content. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

function utcTime(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}
