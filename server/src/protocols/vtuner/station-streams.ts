import type { DirectoryStation } from '../../core/directory/snapshot/snapshot.ts';
import { incompatible, isHeard } from '../../core/streams/choose-streams.ts';
import { playAddress } from '../../core/streams/player.ts';
import { copiedFormat } from '../../core/streams/relay/relay-links.ts';
import type { StationStreams } from '../../core/streams/station-streams.ts';
import { Fault } from '../../lib/fault.ts';
import { ALL_FORMATS, type StreamFormat } from '../../lib/stream-format.ts';
import type { FileCall } from '../../net/http/endpoints/file-endpoint.ts';
import { PROFILE } from './families.ts';
import { stationId } from './ids.ts';
import { asciiOf } from './page.ts';
import type { RadioRequest } from './read-request.ts';

/** What a page says of the sound of a station. */
export interface ListedSound {
  address: string;
  format: StreamFormat | undefined;
  bitrate: number;
  /** Whether every radio of the family is told the same. */
  isForAll: boolean;
}

/** Where a radio is sent to hear a station. None of these radios knows TLS, and few follow redirects. */
export class RadioStreams {
  readonly #streams: StationStreams;

  constructor(streams: StationStreams) {
    this.#streams = streams;
  }

  /**
   * The address that stands in pages. For radios that follow redirects it is one of ours that stays, since they keep it
   * in their own memory; the others get the stream itself if it plays. What plays only through the relay is behind our
   * address for those that follow a redirect within the host, else the relay's own.
   */
  listed(station: DirectoryStation, request: RadioRequest, call: FileCall): ListedSound {
    const { family, origin, folder } = request;
    const own = `${origin}${folder.replace(/(?<![^/])[^/]+\/$/, 'func/')}${stationId(station.id)}.mp3`;
    const choice = this.#choose(station, request, call);
    const best = choice.ranking.chosen[0];
    const heard = best && isHeard(best) ? best : undefined;
    const direct = heard && playAddress(heard, family.player);
    const isDirect = family.redirects !== 'any' && direct !== undefined && isReadable(direct);
    const isRelayed = family.redirects === 'none' && !isDirect;
    const [format, bitrate] = [copiedFormat((best ?? station.streams[0])?.format), (best ?? station).bitrate];
    const address = isDirect
      ? direct
      : isRelayed
        ? (this.#addressesOf(choice, request, call)[0] ?? own)
        : own;
    return { address, format, bitrate, isForAll: !isRelayed };
  }

  /** Where our address of a station leads just now. */
  target(station: DirectoryStation, request: RadioRequest, call: FileCall): string {
    const choice = this.#choose(station, request, call);
    const [first] = this.#addressesOf(choice, request, call);
    if (first !== undefined) return asciiOf(first);
    const device = { profile: PROFILE, source: 'device' } as const;
    throw new Fault(
      406,
      'tune.notCompatible',
      incompatible(device, { formats: ALL_FORMATS, directOnly: true }, choice.ranking),
    );
  }

  #choose(station: DirectoryStation, { family }: RadioRequest, { peer }: FileCall) {
    return this.#streams.choose(station, family.player, { address: peer.address, partner: undefined });
  }

  #addressesOf(
    { order }: ReturnType<StationStreams['choose']>,
    { family, origin, mac }: RadioRequest,
    { peer, headers, now }: FileCall,
  ): string[] {
    const relayCaller = () => ({
      address: peer.address,
      partner: undefined,
      id: mac ?? `${peer.address} ${headers['user-agent'] ?? ''}`,
      origin,
      isSecure: false,
      nowMs: now.epochMilliseconds,
    });
    return order
      .map((ordered) => this.#streams.addressOf(ordered, family.player, relayCaller))
      .filter(isReadable);
  }
}

/** An address that is no address can stop a receiver altogether. */
export const isReadable = (address: string): boolean =>
  /^http:\/\/[^/\s]/i.test(address) && URL.canParse(asciiOf(address));
