import type { ChosenProfile } from '../devices/choose-profile.ts';
import type { DirectoryStream } from '../directory/snapshot.ts';
import type { StreamBoard } from '../directory/stream-board.ts';
import type { Call } from '../http/endpoint.ts';
import { formatBit } from '../lib/stream-format.ts';
import { formatsOfScheme } from '../lib/stream-schemes.ts';
import { cleanText } from '../opml/characters.ts';
import type { StreamFacts } from '../opml/stream-outlines.ts';
import { ANNOUNCEMENTS, type Announcement } from './announcements.ts';
import { chooseStreams, type Ranking } from './choose-streams.ts';
import { isPlain } from './play-address.ts';
import { type Player, playerOf } from './player.ts';
import { factsOf, idsOf } from './stream-facts.ts';
import { isOf, type Tuned } from './tuned.ts';
import { incompatible } from './why.ts';

/** What a player is sent to: the streams it can play, best first, or the announcement that says why there is none. */
export interface Choice {
  tuned: Tuned;
  device: ChosenProfile;
  player: Player;
  ranking: Ranking;
  streams: readonly StreamFacts[];
  isAnnouncement: boolean;
}

/** Chooses among streams for whoever calls. */
export class Chooser {
  readonly #board: Pick<StreamBoard, 'told'> | undefined;

  /** Without a board what the directory was read with holds until it is read anew. */
  constructor(board?: Pick<StreamBoard, 'told'>) {
    this.#board = board;
  }

  choose(call: Call, tuned: Tuned): Choice {
    const { device } = call;
    const player = playerFor(call, device);
    const ranking = tuned.isSaved ? asSaved(tuned, player) : chooseStreams(this.#latest(tuned), player);
    const streams = ranking.chosen.map((stream) => factsOf(tuned, stream, player));
    const made = { tuned, device, player, ranking };
    if (streams.length > 0) return { ...made, streams, isAnnouncement: false };
    return { ...made, streams: [announcementFor(call, made)], isAnnouncement: true };
  }

  /** The ids of topics are numbers of their own, and nothing listens to those. */
  #latest({ guideId: id, streams }: Tuned): Tuned['streams'] {
    const board = this.#board;
    return board === undefined || !isOf('s', id) ? streams : streams.map((stream) => board.told(stream));
  }
}

const playerFor = (call: Call, { profile }: ChosenProfile): Player =>
  playerOf(profile, {
    formats: call.caller.formats,
    isSecure: call.caller.scheme === 'https',
    directOnly: isDirectOnly(call),
  });

const isDirectOnly = ({ params }: Call): boolean => params.text('playlists')?.toLowerCase() === 'none';

/** What a listener saved is given as it is, unless its scheme says that the device cannot play it. */
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

function announcementFor(call: Call, made: Pick<Choice, 'tuned' | 'device' | 'ranking'>): StreamFacts {
  const { tuned, device, ranking } = made;
  const kind: Announcement = tuned.streams.length > 0 ? 'notcompatible' : 'nostream';
  const asked = { formats: call.caller.formats, directOnly: isDirectOnly(call) };
  return {
    ...idsOf(tuned, 0),
    name: cleanText(tuned.name),
    address: call.caller.links.origin + ANNOUNCEMENTS[kind],
    bitrate: 64,
    reliability: 100,
    format: 'mp3',
    reason: kind === 'nostream' ? 'There is nothing to hear just now' : incompatible(device, asked, ranking),
  };
}
