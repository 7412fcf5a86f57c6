import type { DirectoryStream } from '../../../core/directory/snapshot/snapshot.ts';
import { isPlaylist, playAddress, type Player } from '../../../core/streams/player.ts';
import { cleanMarkupText } from '../../../formats/opml/characters.ts';
import { guideId } from '../../../lib/guide-id.ts';
import type { StreamOutlineFacts } from '../outlines/stream-outlines.ts';
import { isOf, type Tuned } from './tuned.ts';

const PLAYLISTS = ['pls', 'm3u', 'asx', 'xspf'] as const;
const parsePlaylist = (text: string | undefined): StreamOutlineFacts['playlistType'] =>
  PLAYLISTS.find((kind) => kind === text) ?? 'm3u';

export function factsOf(tuned: Tuned, stream: DirectoryStream, player: Player): StreamOutlineFacts {
  const { bitrate, reliability } = stream;
  return {
    ...idsOf(tuned, stream.id),
    name: cleanMarkupText(tuned.name),
    address: playAddress(stream, player),
    bitrate,
    reliability,
    // Players detect the format themselves; most streams of unknown format are MP3.
    format: stream.format ?? 'mp3',
    playlistType: isPlaylist(stream) ? parsePlaylist(stream.playlist) : undefined,
  };
}

export function idsOf(
  { guideId: id, showId }: Tuned,
  streamId: number,
): Pick<StreamOutlineFacts, 'guideId' | 'parentId'> {
  if (isOf('t', id)) return { guideId: guideId('t', streamId), parentId: showId };
  if (isOf('u', id)) return { guideId: guideId('u', streamId) };
  return { guideId: guideId('e', streamId), parentId: isOf('s', id) || isOf('p', id) ? id : undefined };
}
