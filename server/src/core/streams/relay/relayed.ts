import { formatBit, type StreamFormat } from '../../../lib/stream-format.ts';
import type { DirectoryStream } from '../../directory/snapshot/snapshot.ts';
import { byPreference, isHeard, type LeftOutBy, type Ranking } from '../choose-streams.ts';
import { isDull, isSecure, playAddress, type Player } from '../player.ts';

/** A stream in the order in which a player tries them. */
export interface OrderedStream {
  readonly stream: DirectoryStream;
  /** Set where it goes through the relay: what keeps the device from the station itself. */
  readonly relayedFor?: LeftOutBy | 'blocked' | 'he-aac' | 'files-only' | undefined;
  /** The relay converts it to MP3, since the device lacks its format. */
  readonly isConverted?: boolean;
  /** The relay says of it that it is a long file, since the device plays nothing else. */
  readonly isFile?: boolean;
}

/** Obstacles that a relay takes out of the way without touching the sound. */
const COPIED: ReadonlySet<LeftOutBy> = new Set(['tls', 'playlist', 'redirect', 'address-too-long']);
/** Formats of which MP3 can be made. */
const CONVERTED: ReadonlySet<StreamFormat | undefined> = new Set([
  'aac',
  'ogg',
  'opus',
  'flac',
  'wav',
  'wma',
]);
/** Many radios take the first line only, and none tries many. */
const MAX_RELAYED = 2;

/** What a relay can be asked for. */
export interface RelayReach {
  /** Pages that were loaded over HTTPS can play from it. */
  readonly isSecure: boolean;
  /** It converts formats that a device lacks to MP3. */
  readonly converts: boolean;
}

/**
 * The streams of a ranking with those that the device can hear through a relay: what plays directly comes first, then what
 * is relayed, then what was silent at the last check. A device whose TLS is old gets an HTTPS stream relayed before it
 * gets the stream itself; one that lacks HE-AAC gets it converted before it gets it as it is.
 */
export function withRelayed(
  { chosen, leftOut }: Ranking,
  player: Player,
  reach: RelayReach | undefined,
): OrderedStream[] {
  const direct = chosen.map((stream) => ({ stream }));
  if (!reach || player.relay === 'never') return direct;
  const relayed = [...relayedOf({ chosen, leftOut }, player, reach), ...asFiles(chosen, player)]
    .filter(({ stream }) => isRelayable(stream))
    .toSorted(
      (a, b) =>
        Number(a.isConverted ?? false) - Number(b.isConverted ?? false) ||
        byPreference(a.stream, b.stream, player),
    )
    .slice(0, MAX_RELAYED)
    .map((line) => (player.filesOnly === true ? { ...line, isFile: true } : line));
  if (relayed.length === 0) return direct;
  const hard = new Set(relayed.map(({ stream }) => stream));
  const [sure, others] = [[], []] as [OrderedStream[], OrderedStream[]];
  for (const line of direct) {
    const isSure =
      player.filesOnly !== true &&
      isHeard(line.stream) &&
      (player.relay === 'last' || !hard.has(line.stream));
    (isSure ? sure : others).push(line);
  }
  return [...sure, ...relayed, ...others];
}

function relayedOf({ chosen, leftOut }: Ranking, player: Player, reach: RelayReach): OrderedStream[] {
  if (player.secureFirst && !reach.isSecure) return [];
  const playsAac = plays(player, 'aac');
  const converts = reach.converts && plays(player, 'mp3');
  const isForeign = (stream: DirectoryStream): boolean => converts && isDull(stream, player);
  const refused = leftOut.filter(({ by }) => COPIED.has(by) || (by === 'hls' && playsAac));
  const foreign = leftOut.filter(({ stream, by }) =>
    by === 'hls' ? !playsAac : by === 'format' && CONVERTED.has(stream.format),
  );
  const risky = chosen.filter((stream) => {
    if (isForeign(stream)) return false;
    const isTls = isSecure(playAddress(stream, player));
    return player.secureFirst ? !isTls : isTls && player.tls === 'old';
  });
  const why = player.secureFirst ? 'blocked' : 'tls';
  return [
    ...refused.map(({ stream, by }) =>
      isForeign(stream) ? asMp3(stream, 'he-aac') : { stream, relayedFor: by },
    ),
    ...risky.map((stream) => ({ stream, relayedFor: why }) as const),
    ...chosen.filter(isForeign).map((stream) => asMp3(stream, 'he-aac')),
    ...(converts ? foreign.map(({ stream, by }) => asMp3(stream, by)) : []),
  ];
}

/** Those that it could play but for their form. */
const asFiles = (chosen: readonly DirectoryStream[], player: Player): OrderedStream[] =>
  player.filesOnly === true
    ? chosen
        .filter((stream) => !isDull(stream, player))
        .map((stream) => ({ stream, relayedFor: 'files-only' }))
    : [];

const asMp3 = (stream: DirectoryStream, relayedFor: OrderedStream['relayedFor']): OrderedStream => ({
  stream,
  relayedFor,
  isConverted: true,
});

const plays = ({ formats }: Player, format: StreamFormat): boolean => (formats & formatBit(format)) !== 0;

/** Not around a fence: a station that is limited to some countries is not relayed out of them. Nor what plays nowhere. */
const isRelayable = ({ verdict }: DirectoryStream): boolean =>
  verdict === undefined || verdict === 'plays' || verdict === 'busy';

const WHY: Readonly<Partial<Record<NonNullable<OrderedStream['relayedFor']>, string>>> = {
  tls: 'it needs HTTPS, which the device does not support or only an old form of',
  playlist: 'it is a kind of playlist the device cannot read',
  redirect: 'it redirects more often than the device follows',
  'address-too-long': 'its address is longer than the device accepts',
  hls: 'it is HLS, which the device does not play',
  format: 'it is in a format that the device lacks, and the relay converts it to MP3',
  'he-aac': 'it is HE-AAC, which the device lacks, and the relay converts it to MP3',
  'files-only': 'the device plays files only, and the relay sends it on as a long one',
  blocked: 'it is plain HTTP, which browsers block on a page loaded over HTTPS',
};

export const whyRelayed = (by: NonNullable<OrderedStream['relayedFor']>): string =>
  `goes through the relay, since ${WHY[by] ?? 'the device cannot play it directly'}`;
