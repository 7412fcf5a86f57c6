import type { DirectoryStation } from '../../core/directory/snapshot/snapshot.ts';
import type { FolderItem } from '../../core/folders/folder.ts';
import { guideId } from '../../lib/guide-id.ts';
import type { ListedTopicRow } from '../../storage/catalog/shows/topics.ts';
import type { ResponseNode } from './write-response.ts';

/** Where a song is listed: the folder, genre or show that apps show as its album. */
export interface Album {
  id: string;
  name: string;
}

const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
};
const suffixOf = (format: string | null | undefined): string =>
  format !== null && format !== undefined && Object.hasOwn(TYPES, format) ? format : 'mp3';

/** A station as a song, with all that strict apps read. It has no end, so its length is 0. */
export function stationSong(station: DirectoryStation, album: Album): ResponseNode {
  const { name, placeName, genreName, streams } = station;
  const id = guideId('s', station.id);
  const [best] = streams;
  const suffix = suffixOf(best?.format);
  return {
    ...commonFields(id, name, album, suffix),
    artist: placeName ?? '',
    ...(genreName !== undefined && { genre: genreName }),
    coverArt: id,
    duration: 0,
    bitRate: best?.bitrate ?? 0,
    type: 'music',
  };
}

function addressSong({ id, title }: { id: string; title: string }, album: Album): ResponseNode {
  return { ...commonFields(id, title, album, 'mp3'), artist: '', duration: 0, bitRate: 0, type: 'music' };
}

export function topicSong(topic: ListedTopicRow, album: Album): ResponseNode {
  const { id, title, format, duration_seconds: seconds, published_at: published } = topic;
  return {
    ...commonFields(guideId('t', id), title, album, suffixOf(format)),
    artist: album.name,
    coverArt: album.id,
    duration: seconds ?? 0,
    bitRate: 0,
    created: published.toString({ smallestUnit: 'millisecond' }),
    year: published.toZonedDateTimeISO('UTC').year,
    type: 'podcast',
  };
}

/** With what apps add to it in lists of episodes. */
export function episodeNode(topic: ListedTopicRow, album: Album): ResponseNode {
  const id = guideId('t', topic.id);
  return {
    ...topicSong(topic, album),
    streamId: id,
    channelId: album.id,
    // Anything else is "not downloaded yet" to apps, which then play nothing.
    status: 'completed',
    publishDate: topic.published_at.toString({ smallestUnit: 'millisecond' }),
  };
}

const commonFields = (id: string, title: string, album: Album, suffix: string): ResponseNode => ({
  id,
  parent: album.id,
  isDir: false,
  title,
  album: album.name,
  albumId: album.id,
  size: 0,
  contentType: TYPES[suffix] ?? 'audio/mpeg',
  suffix,
  path: `${pathPart(album.name)}/${pathPart(title)}.${suffix}`,
  isVideo: false,
});

const pathPart = (text: string): string => text.replaceAll('/', '-');

/** What can be played of a folder's items. */
export const songsOf = (items: readonly FolderItem[], album: Album): ResponseNode[] =>
  items.flatMap((item) => {
    if (item.kind === 'station') return [stationSong(item.station, album)];
    return item.kind === 'address' ? [addressSong(item, album)] : [];
  });
