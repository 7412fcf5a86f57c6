import type { ListableStream } from '../../../storage/catalog/streams/announced-streams.ts';
import type { SourceItem } from '../../pipeline/import-stations.ts';
import { ANNOUNCED_SOURCE } from '../../pipeline/record.ts';

/** Streams that Icecast servers announced, as records of an import. */
export async function* readAnnounced(streams: readonly ListableStream[]): AsyncGenerator<SourceItem> {
  for (const stream of streams) yield { record: recordOf(stream) };
}

function recordOf(stream: ListableStream): Extract<SourceItem, { record: unknown }>['record'] {
  const { address_key: record, address, name, genre, homepage, content_type: type, bitrate } = stream;
  return {
    source: ANNOUNCED_SOURCE,
    record,
    name,
    address,
    homepage: homepage ?? undefined,
    languages: [],
    // Some write commas, most a space: `Jazz Swing`. A genre of two words is found by the whole text.
    tags: [genre, ...genre.split(/[,;/|]|\s+/)].map((tag) => tag.trim()).filter((tag) => tag !== ''),
    codec: CODECS.get(type?.toLowerCase().split(';')[0]?.trim() ?? ''),
    bitrateKbps: bitrate,
    hls: false,
    votes: 0,
    clicks: 0,
  };
}

/** Ogg may hold anything; the next probe tells. */
const CODECS: ReadonlyMap<string, string> = new Map([
  ['audio/mpeg', 'mp3'],
  ['audio/aac', 'aac'],
  ['audio/aacp', 'aac+'],
]);
