import { Readable } from 'node:stream';
import type { Pool } from 'pg';
import { importStations } from '../../src/import/pipeline/import-stations.ts';
import { readRadioBrowser } from '../../src/import/sources/radio-browser/record.ts';
import { uuidOf } from '../../src/lib/ids.ts';
import { address, type Host, nameOf } from './hosts.ts';
import { SHOUTCAST } from './shoutcast.ts';

/** A stream as a list of stations tells of it: where, and what it is said to be. */
interface Listed {
  address: string;
  codec: string;
  bitrate?: number;
  isHls?: boolean;
}

const at = (host: Host, path: string, codec: string, bitrate = 64): Listed => ({
  address: address(host, path),
  codec,
  bitrate,
});
const secure = (host: 'secure' | 'forged', path: string, codec: string): Listed => ({
  address: `https://${nameOf(host)}${path}`,
  codec,
  bitrate: 64,
});
const hls = (path: string): Listed => ({ ...at('hls', path, 'AAC'), isHls: true });
/** Nobody listens there. */
const SILENT: Listed = { address: `http://${nameOf('nobody')}:8001/mp3`, codec: 'MP3', bitrate: 128 };

/** Every station of the farm: the names say what each is for. */
export const STATIONS = {
  'Plain Harbour': [at('icecast', '/mp3', 'MP3')],
  'Latin Harbour': [at('icecast', '/latin1', 'MP3')],
  'Advanced Harbour': [at('icecast', '/aac', 'AAC')],
  'Plus Harbour': [at('icecast', '/aacp', 'AAC+')],
  'Vorbis Harbour': [at('icecast', '/ogg', 'OGG')],
  // At another address than Vorbis Harbour's to a rule that knows mirrors: a station in two codecs is one station.
  'Opus Harbour': [at('icecast', '/opus?other', 'OPUS', 48)],
  'Chained Harbour': [at('icecast', '/chained-opus', 'OPUS', 32)],
  'Lossless Harbour': [at('icecast', '/flac', 'FLAC', 0)],
  'Relayed Harbour': [{ address: SHOUTCAST, codec: 'MP3', bitrate: 64 }],
  'Secure Harbour': [secure('secure', '/mp3', 'MP3')],
  'Secure Advanced Harbour': [secure('secure', '/aac', 'AAC')],
  'Segment Harbour': [hls('/live.m3u8')],
  'Tagged Harbour': [hls('/songs.m3u8')],
  'Master Harbour': [hls('/master.m3u8')],
  'Listed Harbour': [at('lists', '/harbour.m3u', 'MP3')],
  'Scroll Harbour': [at('lists', '/harbour.pls', 'MP3')],
  'Nested Harbour': [at('lists', '/nested.m3u', 'MP3')],
  'Window Harbour': [at('lists', '/harbour.asx', 'MP3')],
  'Shared Harbour': [at('lists', '/harbour.xspf', 'MP3')],
  'Moved Harbour': [at('moved', '/one', 'MP3')],
  'Thrice Moved Harbour': [at('moved', '/three', 'MP3')],
  'Moved Secure Harbour': [at('moved', '/secure', 'MP3')],
  'Half Dead Harbour': [SILENT, at('icecast', '/mp3?half', 'MP3')],
  'Rich Harbour': [at('icecast', '/flac?rich', 'FLAC', 700), at('icecast', '/mp3?rich', 'MP3')],
  'Either Harbour': [{ ...hls('/live.m3u8?either'), bitrate: 128 }, at('icecast', '/aac?either', 'AAC')],
  'Dead Harbour': [{ ...SILENT, address: `http://${nameOf('nobody')}:8001/dead` }],
  'Absent Harbour': [at('icecast', '/absent', 'MP3')],
  'Gone Harbour': [at('trouble', '/gone', 'MP3')],
  'Refused Harbour': [at('trouble', '/refused', 'MP3')],
  'Abroad Harbour': [at('trouble', '/abroad', 'MP3')],
  'Full Harbour': [at('trouble', '/full', 'MP3')],
  'Page Harbour': [at('trouble', '/page', 'MP3')],
  'Forged Harbour': [secure('forged', '/mp3', 'MP3')],
  'Looping Harbour': [at('lists', '/loop.m3u', 'MP3')],
  'Circling Harbour': [at('moved', '/circle', 'MP3')],
} as const satisfies Record<string, readonly Listed[]>;

export type StationName = keyof typeof STATIONS;

/** Lists the farm's stations as a source of the directory does. */
export async function listStations(pool: Pool): Promise<void> {
  const lines = Object.entries(STATIONS).flatMap(([name, streams]) =>
    streams.map((stream) => Buffer.from(`${JSON.stringify(recordOf(name, stream))}\n`)),
  );
  await importStations({ pool, source: 'farm', items: readRadioBrowser(Readable.from(lines)) });
}

const recordOf = (name: string, { address: url, codec, bitrate = 0, isHls = false }: Listed) => ({
  id: uuidOf(url),
  id_src: 'derived',
  name,
  url,
  homepage: `http://${name.toLowerCase().replaceAll(' ', '-')}.example.net/`,
  countrycode: 'IE',
  city: 'Cork',
  languages: ['en'],
  tags: ['folk'],
  codec,
  bitrate,
  hls: Number(isHls),
  votes: 100,
  lastcheckok: 1,
});

/** `s…` of each station, as the directory numbers them. */
export async function guideIds(pool: Pool): Promise<ReadonlyMap<StationName, string>> {
  const names = Object.keys(STATIONS);
  const { rows } = await pool.query<{ id: number; name: StationName }>(
    'SELECT id, name FROM stations WHERE name = ANY($1)',
    [names],
  );
  const found = new Map(rows.map(({ id, name }) => [name, `s${id}`]));
  const missing = names.filter((name) => !new Set<string>(found.keys()).has(name));
  if (missing.length > 0) throw new Error(`not in the directory: ${missing.join(', ')}`);
  return found;
}
