import { createHmac, timingSafeEqual } from 'node:crypto';

/** The names that the Recommendation gives to ways of signing; most hubs still use the first. */
const SIGNATURE = /^\s*(sha1|sha256|sha384|sha512)=([0-9a-f]{40,128})\s*$/i;

export interface Signature {
  method: string;
  digest: Buffer;
}

/** What an `X-Hub-Signature` header says. */
export function parseSignature(header: string | string[] | undefined): Signature | undefined {
  const [, method, hex] = SIGNATURE.exec(String(header ?? '')) ?? [];
  return method !== undefined && hex !== undefined
    ? { method: method.toLowerCase(), digest: Buffer.from(hex, 'hex') }
    : undefined;
}

/**
 * Whether the body was signed with the secret; undefined when it is larger than that. It is hashed as it comes in
 * and never held whole.
 */
export async function isSigned(
  body: AsyncIterable<Buffer>,
  { method, digest }: Signature,
  secret: string,
  mostBytes: number,
): Promise<boolean | undefined> {
  const hmac = createHmac(method, secret);
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > mostBytes) return undefined;
    hmac.update(chunk);
  }
  const expected = hmac.digest();
  return expected.length === digest.length && timingSafeEqual(expected, digest);
}
