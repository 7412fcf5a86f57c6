import type { Call } from '../http/endpoint.ts';
import { guideId, type GuideId, type GuideLetter } from '../lib/guide-id.ts';
import { ALL_FORMATS, formatNames } from '../lib/stream-format.ts';
import { cleanText } from '../opml/characters.ts';
import type { StreamFacts } from '../opml/stream-outlines.ts';
import { ANNOUNCEMENTS, type Announcement } from './announcements.ts';
import { chooseStreams, isPlaylist, playAddress, type Player } from './choose-streams.ts';
import type { Tuned } from './tuned.ts';

/** What a player is sent to: the streams it can play, best first, or the announcement that says why there is none. */
export interface Choice {
  tuned: Tuned;
  streams: readonly StreamFacts[];
  isAnnouncement: boolean;
}

export function choose(call: Call, tuned: Tuned): Choice {
  const candidates = tuned.isSaved ? tuned.streams : chooseStreams(tuned.streams, playerOf(call));
  const streams = candidates
    .filter((stream) => isPlain(playAddress(stream)))
    .map((stream) => factsOf(tuned, stream));
  if (streams.length > 0) return { tuned, streams, isAnnouncement: false };
  return { tuned, streams: [announcementFor(call, tuned)], isAnnouncement: true };
}

const playerOf = ({ caller, params }: Call): Player => ({
  formats: caller.formats,
  knowsTls: caller.scheme === 'https',
  directOnly: params.text('playlists')?.toLowerCase() === 'none',
});

/** One line, and a scheme that leads to sound: feeds and listeners write addresses too. */
const isPlain = (address: string): boolean =>
  /^(?:https?|rtsp|rtmp|mms[ht]?):\/\/[^\s\p{Cc}]+$/iu.test(address);

const PLAYLISTS = ['pls', 'm3u', 'asx'] as const;
const parsePlaylist = (text: string | undefined): StreamFacts['playlistType'] =>
  PLAYLISTS.find((kind) => kind === text) ?? 'm3u';

function factsOf(tuned: Tuned, stream: Tuned['streams'][number]): StreamFacts {
  const { bitrate, reliability } = stream;
  return {
    ...idsOf(tuned, stream.id),
    name: cleanText(tuned.name),
    address: playAddress(stream),
    bitrate,
    reliability,
    // Players listen for themselves; MP3 is what a stream that says nothing mostly is.
    format: stream.format ?? 'mp3',
    playlistType: isPlaylist(stream) ? parsePlaylist(stream.playlist) : undefined,
  };
}

function idsOf({ guideId: id, showId }: Tuned, streamId: number): Pick<StreamFacts, 'guideId' | 'parentId'> {
  if (isOf('t', id)) return { guideId: guideId('t', streamId), parentId: showId };
  if (isOf('u', id)) return { guideId: guideId('u', streamId) };
  return { guideId: guideId('e', streamId), parentId: isOf('s', id) || isOf('p', id) ? id : undefined };
}

const isOf = <Letter extends GuideLetter>(letter: Letter, id: GuideId): id is GuideId<Letter> =>
  id.startsWith(letter);

function announcementFor(call: Call, tuned: Tuned): StreamFacts {
  const kind: Announcement = tuned.streams.length > 0 ? 'notcompatible' : 'nostream';
  return {
    ...idsOf(tuned, 0),
    name: cleanText(tuned.name),
    address: call.caller.links.origin + ANNOUNCEMENTS[kind],
    bitrate: 64,
    reliability: 100,
    format: 'mp3',
    reason: kind === 'nostream' ? 'There is nothing to hear just now' : incompatible(call, tuned),
  };
}

/** In the words of the `formats` parameter, so that whoever wrote the client sees what to add. */
function incompatible(call: Call, { streams }: Tuned): string {
  const { formats, directOnly } = playerOf(call);
  const offered = [...new Set(streams.map(({ format }) => format ?? 'unknown'))].join(',');
  const asked = formats === ALL_FORMATS ? 'any format' : `formats=${formatNames(formats).join(',')}`;
  const direct = directOnly ? ' without playlists' : '';
  return `No stream for ${asked}${direct}; there is ${offered}`;
}
