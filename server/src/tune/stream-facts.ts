import type { DirectoryStream } from '../directory/snapshot.ts';
import { guideId } from '../lib/guide-id.ts';
import { cleanText } from '../opml/characters.ts';
import type { StreamFacts } from '../opml/stream-outlines.ts';
import { isPlaylist, playAddress } from './play-address.ts';
import type { Player } from './player.ts';
import { isOf, type Tuned } from './tuned.ts';

const PLAYLISTS = ['pls', 'm3u', 'asx', 'xspf'] as const;
const parsePlaylist = (text: string | undefined): StreamFacts['playlistType'] =>
  PLAYLISTS.find((kind) => kind === text) ?? 'm3u';

export function factsOf(tuned: Tuned, stream: DirectoryStream, player: Player): StreamFacts {
  const { bitrate, reliability } = stream;
  return {
    ...idsOf(tuned, stream.id),
    name: cleanText(tuned.name),
    address: playAddress(stream, player),
    bitrate,
    reliability,
    // Players listen for themselves; MP3 is what a stream that says nothing mostly is.
    format: stream.format ?? 'mp3',
    playlistType: isPlaylist(stream) ? parsePlaylist(stream.playlist) : undefined,
  };
}

export function idsOf(
  { guideId: id, showId }: Tuned,
  streamId: number,
): Pick<StreamFacts, 'guideId' | 'parentId'> {
  if (isOf('t', id)) return { guideId: guideId('t', streamId), parentId: showId };
  if (isOf('u', id)) return { guideId: guideId('u', streamId) };
  return { guideId: guideId('e', streamId), parentId: isOf('s', id) || isOf('p', id) ? id : undefined };
}
