import type { RelayPermission } from '../../../storage/catalog/streams/relayed-stream.ts';
import type { StreamFormat } from '../../../lib/stream-format.ts';
import { rendezvous } from '../../../lib/rendezvous.ts';
import type { RelayKeys } from './relay-address.ts';
import type { OrderedStream, RelayReach } from './relayed.ts';

export interface RelayLinksOptions {
  keys: RelayKeys;
  relays: readonly RelayPlace[];
  /** Of a relay that has no origin of its own. */
  port: number;
  /** Whether the relay converts other formats to MP3. */
  converts: boolean;
  /** Who is at home: others would be sent to a refusal, unless a partner sends them. */
  isHome: (address: string) => boolean;
  /** Set where radios of partners are served from anywhere: whether an address is in the country of the relay. */
  isInCountry?: ((address: string) => boolean) | undefined;
}

/** One of the relays. */
interface RelayPlace {
  /** Where radios reach it; undefined: at the host by which they reached us. */
  origin: string | undefined;
  /** Where pages reach it by HTTPS, if they do. */
  secureOrigin: string | undefined;
  isReady: () => boolean;
}

/** A radio at home keeps an address as a preset for weeks. */
const GOOD_FOR_MS = 30 * 86_400_000;
/** Elsewhere an address may be passed on. */
const GOOD_FOR_PARTNERS_MS = 6 * 3_600_000;

/** Who asks, and how they reached us. */
export interface RelayCaller {
  address: string;
  /** As far as it is registered. */
  partner: { id: string; relay: boolean } | undefined;
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

  /** What a caller may ask it for of a station that says this about relays. */
  reach(
    caller: Pick<RelayCaller, 'address' | 'partner'>,
    permission: RelayPermission | undefined,
  ): RelayReach | undefined {
    const { relays, isHome, converts } = this.#options;
    const ready = relays.find(({ isReady }) => isReady());
    if (!ready || permission === 'never') return undefined;
    if (!isHome(caller.address) && !this.#isPartner(caller, permission)) return undefined;
    return { isSecure: ready.secureOrigin !== undefined, converts };
  }

  addressOf({ stream, isConverted = false, isFile = false }: OrderedStream, caller: RelayCaller): string {
    const { keys, isHome } = this.#options;
    const partner = isHome(caller.address) ? undefined : caller.partner;
    const facts = {
      streamId: stream.id,
      variant: isConverted ? 'm128' : 'c',
      who: keys.whoOf(caller.id),
      partner: partner && keys.partnerTag(partner.id),
      format: isConverted ? CONVERTED_TO.format : copiedFormat(stream.format),
      isFile,
    } as const;
    return (
      this.#originFor(stream.id, caller) +
      keys.sign(facts, caller.nowMs + (partner ? GOOD_FOR_PARTNERS_MS : GOOD_FOR_MS))
    );
  }

  /** A station is not sent abroad that has not said it may be. */
  #isPartner(
    { address, partner }: Pick<RelayCaller, 'address' | 'partner'>,
    permission: RelayPermission | undefined,
  ): boolean {
    const { isInCountry } = this.#options;
    if (!isInCountry || partner?.relay !== true) return false;
    return permission !== undefined || isInCountry(address);
  }

  /** At the relay that has the stream, so that those who hear it can share a connection; any other serves it too. */
  #originFor(streamId: number, { origin: asked, isSecure }: RelayCaller): string {
    const { relays, port } = this.#options;
    const ready = relays.filter(({ isReady }) => isReady());
    const { origin, secureOrigin } = rendezvous(streamId, ready, (relay) => relay.origin ?? '') ?? relays[0]!;
    if (isSecure && secureOrigin !== undefined) return secureOrigin;
    return origin ?? `http://${new URL(asked).hostname}:${port}`;
  }
}
