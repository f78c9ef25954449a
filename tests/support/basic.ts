import type { TestClient } from './world.ts';

/** HTTP Basic credentials as RFC 6749 §2.3.1 writes them: both halves form-encoded, then joined. */
export function basic(id: string, secret: string): string {
  const [encodedId, encodedSecret] = [id, secret].map((text) =>
    new URLSearchParams({ text }).toString().slice('text='.length),
  );
  return `Basic ${Buffer.from(`${encodedId}:${encodedSecret}`).toString('base64')}`;
}

export function basicOf({ id, secret = '' }: TestClient): string {
  return basic(id, secret);
}
