import type { StreamFormat } from '../../../lib/stream-format.ts';
import type { RelayKeys } from './relay-address.ts';
import type { OrderedStream, RelayReach } from './relayed.ts';

export interface RelayLinksOptions {
  keys: RelayKeys;
  /** Where radios reach the relay; undefined: at the host by which they reached us, and this port. */
  origin: string | undefined;
  port: number;
  /** Where pages reach it by HTTPS, if they do. */
  secureOrigin: string | undefined;
  isReady: () => boolean;
  /** Whether the relay converts other formats to MP3. */
  converts: boolean;
  /** Whom the relay serves: others would be sent to a refusal. */
  isServed: (address: string) => boolean;
}

/** A radio at home keeps an address as a preset for weeks. */
const GOOD_FOR_MS = 30 * 86_400_000;

/** Who asks, and how they reached us. */
export interface RelayCaller {
  /** Its serial, or its address. */
  id: string;
  /** `http://radio.lan:8700` */
  origin: string;
  isSecure: boolean;
  nowMs: number;
}

/** What devices get that lack a station's own format. */
export const CONVERTED_TO = { format: 'mp3', bitrate: 128 } as const;

/** HLS is sent on as what is in it, which nearly always is AAC. */
export const copiedFormat = <T extends StreamFormat | undefined>(format: T): T | 'aac' =>
  format === 'hls' ? 'aac' : format;

/** Writes addresses at the relay. Without a relay that is ready, nobody is sent to it. */
export class RelayLinks {
  readonly #options: RelayLinksOptions;

  constructor(options: RelayLinksOptions) {
    this.#options = options;
  }

  reach(address: string): RelayReach | undefined {
    if (!this.#options.isReady() || !this.#options.isServed(address)) return undefined;
    const { secureOrigin, converts } = this.#options;
    return { isSecure: secureOrigin !== undefined, converts };
  }

  addressOf({ stream, isConverted = false }: OrderedStream, caller: RelayCaller): string {
    const { keys } = this.#options;
    const facts = {
      streamId: stream.id,
      variant: isConverted ? 'm128' : 'c',
      who: keys.whoOf(caller.id),
      format: isConverted ? CONVERTED_TO.format : copiedFormat(stream.format),
    } as const;
    return this.#originFor(caller) + keys.sign(facts, caller.nowMs + GOOD_FOR_MS);
  }

  #originFor({ origin: asked, isSecure }: RelayCaller): string {
    const { origin, port, secureOrigin } = this.#options;
    if (isSecure && secureOrigin !== undefined) return secureOrigin;
    return origin ?? `http://${new URL(asked).hostname}:${port}`;
  }
}
