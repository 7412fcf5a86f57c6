import { createHmac, timingSafeEqual } from 'node:crypto';
import type { StreamFormat } from '../../../lib/stream-format.ts';

/**
 * The address of a relayed stream: `/r/e1nyc.c.hsuzk.k3J9x2Qa.SIGNATURE16.mp3`. It names a stream of the directory, never
 * an address, so that nobody can have the relay fetch anything else, not even with a stolen key; and it is short, because
 * old radios keep 255 characters. One for a partner names it before the radio: `….hsuzk.Xa1_.k3J9x2Qa.…`.
 */

/** `c`: the sound as the station sends it. `m128`: as MP3 of 128 kbit/s. */
const VARIANTS = ['c', 'm128'] as const;
type Variant = (typeof VARIANTS)[number];

export interface RelayedStream {
  streamId: number;
  variant: Variant;
  /** Who it was made for: see `whoOf`. */
  who: string;
  /** Set where it is good from anywhere, for a radio of that partner: see `partnerTag`. */
  partner?: string | undefined;
  /** Old firmware chooses its decoder by the extension. */
  format: StreamFormat | undefined;
  /** Sent as a long file. Not signed, as the extension is not: it says nothing about which sound it is. */
  isFile?: boolean;
}

export interface ReadAddress extends RelayedStream {
  isExpired: boolean;
}

const RELAY_PATH = '/r/';
const FILE_PATH = '/r/f/';
/** How long a stream is said to be to a device that plays files alone: a day of 128 kbit/s, and what fits into 31 bits. */
export const RELAYED_FILE_BYTES = 1_440_000_000;
/** Where `longwave serve` and load balancers ask whether to send radios to a relay. */
export const RELAY_READY_PATH = `${RELAY_PATH}ready`;

const MINUTE_MS = 60_000;
/** 12 bytes. */
const SIGNATURE_LENGTH = 16;
const WHO_BYTES = 6;
const PARTNER_BYTES = 3;
const PARTS =
  /^([0-9a-z]{1,11})\.(c|m128)\.([0-9a-z]{1,8})\.(?:([\w-]{4})\.)?([\w-]{8})\.([\w-]{16})\.([a-z0-9]{2,4})$/;

export const MIN_RELAY_KEY_LENGTH = 32;

/** Signs and reads the addresses of relayed streams. Keys are valid side by side while one replaces another. */
export class RelayKeys {
  readonly #keys: readonly [current: string, ...older: string[]];

  constructor(current: string, older: readonly string[] = []) {
    this.#keys = [current, ...older];
  }

  /** The path at a relay, good until then. */
  sign({ streamId, variant, partner, who, format, isFile }: RelayedStream, untilMs: number): string {
    const minutes = Math.ceil(untilMs / MINUTE_MS);
    const facts = factsOf(streamId.toString(36), variant, minutes.toString(36), partner, who);
    return `${isFile === true ? FILE_PATH : RELAY_PATH}${facts}.${signatureOf(this.#keys[0], facts)}.${format ?? 'mp3'}`;
  }

  /** Undefined for an address that we did not sign. */
  read(path: string, nowMs: number): ReadAddress | undefined {
    if (!path.startsWith(RELAY_PATH)) return undefined;
    const isFile = path.startsWith(FILE_PATH);
    const [, id, named, minutes, partner, who, signature, format] =
      PARTS.exec(path.slice(isFile ? FILE_PATH.length : RELAY_PATH.length)) ?? [];
    const variant = VARIANTS.find((each) => each === named);
    if (id === undefined || variant === undefined || minutes === undefined) return undefined;
    if (who === undefined || signature === undefined) return undefined;
    const facts = factsOf(id, variant, minutes, partner, who);
    if (!this.#keys.some((key) => isEqual(signatureOf(key, facts), signature))) return undefined;
    return {
      streamId: Number.parseInt(id, 36),
      variant,
      who,
      ...(partner !== undefined && { partner }),
      ...(isFile && { isFile }),
      format: isKnownExtension(format) ? format : undefined,
      isExpired: Number.parseInt(minutes, 36) * MINUTE_MS < nowMs,
    };
  }

  /** A listener without a name: eight characters from the serial of the radio, or from its address. */
  whoOf(serialOrAddress: string): string {
    return this.#hashOf(`who ${serialOrAddress}`, WHO_BYTES);
  }

  /** A partner without its name, whose listeners are counted by it. */
  partnerTag(partnerId: string): string {
    return this.#hashOf(`partner ${partnerId}`, PARTNER_BYTES);
  }

  #hashOf(text: string, bytes: number): string {
    return createHmac('sha256', this.#keys[0]).update(text).digest().toString('base64url', 0, bytes);
  }
}

/** A key for signing from another secret, which cannot be told from it. */
export const relayKeyFrom = (secret: string): string =>
  createHmac('sha256', secret).update('the key of the relay').digest('base64url');

/** The extension is not signed: it says nothing that the stream does not. */
const EXTENSIONS: readonly string[] = ['mp3', 'aac', 'ogg', 'opus', 'flac', 'wav'] satisfies StreamFormat[];
const isKnownExtension = (text: string | undefined): text is StreamFormat => EXTENSIONS.includes(text ?? '');

const factsOf = (...facts: (string | undefined)[]): string =>
  facts.filter((fact) => fact !== undefined).join('.');

const signatureOf = (key: string, facts: string): string =>
  createHmac('sha256', key).update(`relay ${facts}`).digest('base64url').slice(0, SIGNATURE_LENGTH);

const isEqual = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one), Buffer.from(other));
