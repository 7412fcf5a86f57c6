import type { ChosenProfile } from '../../../core/devices/profiles.ts';
import type { StreamBoard } from '../../../core/directory/live/keep-streams.ts';
import type { DirectoryStation, DirectoryStream } from '../../../core/directory/snapshot/snapshot.ts';
import { chooseStreams, incompatible, type Ranking } from '../../../core/streams/choose-streams.ts';
import {
  CONVERTED_TO,
  copiedFormat,
  type RelayCaller,
  type RelayLinks,
} from '../../../core/streams/relay/relay-links.ts';
import type { OrderedStream } from '../../../core/streams/relay/relayed.ts';
import { type StationChoice, StationStreams } from '../../../core/streams/station-streams.ts';
import { isPlain, type Player, playerOf } from '../../../core/streams/player.ts';
import { cleanMarkupText } from '../../../formats/opml/characters.ts';
import { formatBit, formatsOfScheme } from '../../../lib/stream-format.ts';
import type { Call } from '../call/endpoint.ts';
import type { StreamOutlineFacts } from '../outlines/stream-outlines.ts';
import { type SpokenNotice, ANNOUNCEMENTS } from './announcements.ts';
import { factsOf, idsOf } from './stream-facts.ts';
import { isOf, type Tuned, tunedStation } from './tuned.ts';

/** What a player gets: the streams it can play, best first, or an announcement with the reason. */
export interface StreamChoice {
  tuned: Tuned;
  device: ChosenProfile;
  player: Player;
  ranking: Ranking;
  /** The streams it is given, those through the relay among them. */
  order: readonly OrderedStream[];
  streams: readonly StreamOutlineFacts[];
  isAnnouncement: boolean;
}

/** Chooses streams for a caller. */
export class Chooser {
  readonly #stations: StationStreams;

  /** Without a board, stream states are as old as the directory snapshot. Without a relay, nothing is relayed. */
  constructor(board?: Pick<StreamBoard, 'latest'>, relay?: RelayLinks) {
    this.#stations = new StationStreams(board, relay);
  }

  choose(call: Call, tuned: Tuned): StreamChoice {
    const { device } = call;
    const player = playerFor(call, device);
    const { ranking, order } = this.#order(call, tuned, player);
    const streams = order.map((ordered) => {
      const facts = factsOf(tuned, ordered.stream, player);
      if (ordered.relayedFor === undefined) return facts;
      const address = this.#stations.addressOf(ordered, player, () => relayCaller(call));
      const relayed = { ...facts, address, playlistType: undefined, isRelayed: true as const };
      return ordered.isConverted
        ? { ...relayed, ...CONVERTED_TO }
        : { ...relayed, format: copiedFormat(facts.format) };
    });
    const made = { tuned, device, player, ranking, order };
    if (streams.length > 0) return { ...made, streams, isAnnouncement: false };
    return { ...made, streams: [announcementFor(call, made)], isAnnouncement: true };
  }

  /**
   * Only stations' streams are on the board and have an id by which a relay finds them; a topic's id could collide with
   * a stream's.
   */
  #order({ caller }: Call, tuned: Tuned, player: Player): StationChoice {
    if (isOf('s', tuned.guideId))
      return this.#stations.choose(tuned, player, { address: caller.securityIp, partner: caller.partner });
    const ranking = tuned.isSaved ? asSaved(tuned, player) : chooseStreams(tuned.streams, player);
    return { ranking, order: ranking.chosen.map((stream) => ({ stream })) };
  }
}

const relayCaller = ({ caller, now, headers }: Call): RelayCaller => ({
  address: caller.securityIp,
  partner: caller.partner,
  // Radios of one house may share an address with what stands between us.
  id: caller.serial ?? `${caller.securityIp} ${headers['user-agent'] ?? ''}`,
  origin: caller.links.origin,
  isSecure: caller.scheme === 'https',
  nowMs: now.epochMilliseconds,
});

const playerFor = (call: Call, { profile }: ChosenProfile): Player =>
  playerOf(profile, {
    formats: call.caller.formats,
    isSecure: call.caller.scheme === 'https',
    directOnly: isDirectOnly(call),
  });

const isDirectOnly = ({ params }: Call): boolean => params.text('playlists')?.toLowerCase() === 'none';

/** A saved address is returned as it is, unless its scheme shows that the device cannot play it. */
function asSaved({ streams }: Tuned, { formats }: Player): Ranking {
  const [chosen, leftOut]: [DirectoryStream[], Ranking['leftOut'][number][]] = [[], []];
  for (const stream of streams) {
    const inScheme = formatsOfScheme(stream.address);
    if (!isPlain(stream.address)) leftOut.push({ stream, by: 'address' });
    else if (inScheme?.every((format) => (formatBit(format) & formats) === 0))
      leftOut.push({ stream, by: 'format' });
    else chosen.push(stream);
  }
  return { chosen, leftOut };
}

function announcementFor(
  call: Call,
  made: Pick<StreamChoice, 'tuned' | 'device' | 'ranking'>,
): StreamOutlineFacts {
  const { tuned, device, ranking } = made;
  const kind: SpokenNotice = tuned.streams.length > 0 ? 'notcompatible' : 'nostream';
  const asked = { formats: call.caller.formats, directOnly: isDirectOnly(call) };
  return {
    ...idsOf(tuned, 0),
    name: cleanMarkupText(tuned.name),
    address: call.caller.links.origin + ANNOUNCEMENTS[kind],
    bitrate: 64,
    reliability: 100,
    format: 'mp3',
    reason: kind === 'nostream' ? 'There is nothing to hear just now' : incompatible(device, asked, ranking),
  };
}

/** The first stream a caller is given for a station; undefined when it can play none. */
export function firstChoice(
  chooser: Pick<Chooser, 'choose'>,
): (call: Call, station: DirectoryStation) => number | undefined {
  return (call, station) => chooser.choose(call, tunedStation(station)).order[0]?.stream.id;
}
