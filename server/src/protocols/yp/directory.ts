import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Directory } from '../../core/directory/directory.ts';
import {
  type DirectoryStation,
  type Snapshot,
  snapshotName,
} from '../../core/directory/snapshot/snapshot.ts';
import { type ListedSongs, songAt, type SongsNow } from '../../core/now-playing/listed-songs.ts';
import { playPath } from '../../core/streams/play-path.ts';
import { escapeXml } from '../../formats/opml/characters.ts';
import { Fault } from '../../lib/fault.ts';
import type { StreamFormat } from '../../lib/stream-format.ts';
import type { FileAnswer, FileCall, FileEndpoint } from '../../net/http/endpoints/file-endpoint.ts';

export interface YpDirectoryDeps {
  directory: Pick<Directory, 'current'>;
  listedSongs: Pick<ListedSongs, 'on'>;
}

/** Readers ask for all of it, and show it as one list. */
const MAX_ENTRIES = 1000;
const MAX_CONCURRENCY = 16;
const MAX_AGE_SECONDS = 60;
/** Some ten pages, each for a host or two. */
const KEPT_BYTES = 8 * 2 ** 20;

/** `/yp.xml`: the directory, the most popular stations first, in the form of the Icecast directory. */
export function ypDirectory({ directory, listedSongs }: YpDirectoryDeps): FileEndpoint {
  const kept = new LRUCache<string, FileAnswer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ body }) => body.length,
  });
  return {
    path: '/yp.xml',
    maxConcurrency: MAX_CONCURRENCY,
    answer({ query, peer: { origin } }: FileCall) {
      const [offset, limit] = [numberIn(query, 'offset', 0), numberIn(query, 'limit', MAX_ENTRIES)];
      const window = { offset, limit: Math.min(limit, MAX_ENTRIES) };
      const snapshot = directory.current();
      const songs = listedSongs.on(snapshot);
      const key = `${snapshotName(snapshot)} ${songs?.stamp ?? ''} ${origin} ${offset} ${window.limit}`;
      const known = kept.get(key);
      if (known) return known;
      const made = page(snapshot, songs, window, origin);
      kept.set(key, made);
      return made;
    },
  };
}

function numberIn(query: URLSearchParams, name: string, unset: number): number {
  const text = query.get(name);
  if (text === null) return unset;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Fault(400, undefined, `'${name}' is a whole number`);
}

function page(
  snapshot: Snapshot,
  songs: SongsNow | undefined,
  { offset, limit }: { offset: number; limit: number },
  origin: string,
): FileAnswer {
  const stations = snapshot.stations.slice(offset, offset + limit);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<directory>',
    ...stations.map((station) => entry(snapshot, station, songAt(songs, station.rank)?.song, origin)),
    '</directory>',
    '',
  ];
  const next = offset + limit;
  const more =
    limit > 0 && next < snapshot.stations.length
      ? ['Link', `<${origin}/yp.xml?offset=${next}&limit=${limit}>; rel="next"`]
      : [];
  const body = Buffer.from(lines.join('\n'));
  return {
    status: 200,
    contentType: 'application/xml; charset=utf-8',
    body,
    etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`,
    lifetime: { maxAgeSeconds: MAX_AGE_SECONDS },
    ownHeaders: ['Access-Control-Allow-Origin', '*', ...more],
  };
}

/** What most stations send counts for a stream of unknown format, as everywhere. */
const TYPES: Readonly<Partial<Record<StreamFormat, string>>> = {
  aac: 'audio/aac',
  ogg: 'application/ogg',
  opus: 'application/ogg',
  flac: 'audio/flac',
  hls: 'application/vnd.apple.mpegurl',
  wma: 'audio/x-ms-wma',
  wav: 'audio/wav',
};

/** Readers take an element that is not there for an error: each is there, with 0 or nothing for what nobody knows. */
function entry(
  { genreById }: Snapshot,
  { id, name, genreIds, streams: [best] }: DirectoryStation,
  song: string | undefined,
  origin: string,
): string {
  const genres = genreIds.flatMap((genreId) => genreById.get(genreId)?.name ?? []);
  return [
    '<entry>',
    element('server_name', name),
    element('listen_url', origin + playPath(id)),
    element('server_type', TYPES[best?.format ?? 'mp3'] ?? 'audio/mpeg'),
    element('bitrate', String(best?.bitrate ?? 0)),
    element('channels', '0'),
    element('samplerate', '0'),
    element('genre', genres.join(' ')),
    element('current_song', song ?? ''),
    '</entry>',
  ].join('');
}

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;
