import type { Pool } from 'pg';
import { guideId } from '../../lib/guide-id.ts';
import { type ChangeRow, listChangesBefore } from '../../storage/catalog/stations/station-changes.ts';
import { statement, type RowOf } from '../../storage/db/statement.ts';
import { listStreamsOfStation } from '../../storage/catalog/streams/streams.ts';
import { inColumns, plain } from '../terminal.ts';

const STATION = {
  id: 'int8',
  name: 'text',
  call_sign: 'text?',
  frequency: 'text?',
  band: 'text?',
  slogan: 'text?',
  description: 'text?',
  homepage: 'text?',
  country: 'text?',
  region: 'text?',
  latitude: 'float8?',
  longitude: 'float8?',
  zone: 'text?',
  relay: 'text?',
  genres: 'text[]?',
  languages: 'text[]?',
  logo: 'text?',
  votes: 'int4',
  clicks: 'int4',
  popularity: 'int4',
  listed: 'bool',
  pinned: 'text[]',
  merged_into: 'int8?',
} as const;
type ShownStation = RowOf<typeof STATION>;

const showStation = statement(
  'station-show',
  STATION,
  `SELECT s.id, s.name, s.call_sign, s.frequency, s.band, s.slogan, s.description, s.homepage, c.name AS country,
     r.name AS region, s.latitude, s.longitude, s.zone, s.relay,
     ARRAY (SELECT g.slug FROM station_genres sg JOIN genres g ON g.id = sg.genre_id
       WHERE sg.station_id = s.id ORDER BY sg.position) AS genres,
     ARRAY (SELECT l.code FROM station_languages sl JOIN languages l ON l.id = sl.language_id
       WHERE sl.station_id = s.id ORDER BY sl.position) AS languages,
     (SELECT address FROM images i WHERE i.kind = 's' AND i.item_id = s.id) AS logo,
     s.votes, s.clicks, s.popularity, s.listed, s.pinned, s.merged_into
   FROM stations s LEFT JOIN countries c ON c.id = s.country_id LEFT JOIN regions r ON r.id = s.region_id
   WHERE s.id = $1`,
);

/** More than any station has by itself; a person reads no more. */
const MAX_SHOWN = 200;

const recordsOf = statement(
  'station-show-records',
  { source: 'text', record: 'text', stream_id: 'int8' },
  `SELECT source, record, stream_id FROM station_records WHERE station_id = $1 ORDER BY ordinal LIMIT ${MAX_SHOWN}`,
);

const idsOf = statement(
  'station-show-ids',
  { scheme: 'text', foreign_id: 'text' },
  `SELECT scheme, foreign_id FROM aliases WHERE kind = 's' AND item_id = $1 ORDER BY scheme, foreign_id LIMIT ${MAX_SHOWN}`,
);

const mergedOf = statement(
  'station-show-merged',
  { id: 'int8' },
  `SELECT id FROM stations WHERE merged_into = $1 ORDER BY id LIMIT ${MAX_SHOWN}`,
);

/** Everything that is known of one station: its fields, streams, records and ids, and what an operator did. */
export async function describeStation(pool: Pool, stationId: number): Promise<string> {
  const [station] = await showStation.run(pool, [stationId]);
  const id = guideId('s', stationId);
  if (!station) throw new Error(`there is no station ${id}; Search.ashx?query=NAME finds its id`);
  const streams = await listStreamsOfStation(pool, stationId);
  const records = await recordsOf.run(pool, [stationId]);
  const ids = await idsOf.run(pool, [stationId]);
  const merged = await mergedOf.run(pool, [stationId]);
  const changes = await listChangesBefore(pool, stationId, { limit: 1 });
  const parts = [
    inColumns([
      ['id', id],
      [
        'listed',
        await listedOf(
          pool,
          station,
          streams.some(({ listed }) => listed),
        ),
      ],
    ]),
    inColumns(fieldRows(station)),
    section('STREAMS', [
      ['STREAM', 'LISTED', 'FORMAT', 'KBIT/S', 'RELIABILITY', 'ADDRESS'],
      ...streams
        .slice(0, MAX_SHOWN)
        .map((stream) => [
          guideId('e', stream.id),
          (stream.listed ? 'yes' : 'no') + (stream.pinned.includes('listed') ? ' (set)' : ''),
          stream.format ?? '-',
          String(stream.bitrate || '-'),
          String(stream.reliability),
          plain(stream.address),
        ]),
    ]),
    section('RECORDS', [
      ['SOURCE', 'ID', 'STREAM'],
      ...records.map((row) => [plain(row.source), plain(row.record), guideId('e', row.stream_id)]),
    ]),
    section('OTHER IDS', [
      ['SCHEME', 'ID'],
      ...ids.map((row) => [row.scheme, plain(row.foreign_id)]),
      ...merged.map((row) => ['merged', guideId('s', row.id)]),
    ]),
    changes.length > 0
      ? `longwave station history ${id} lists what was changed by hand`
      : 'nobody changed it by hand',
  ];
  return parts.join('\n\n');
}

const section = (title: string, rows: readonly (readonly string[])[]): string =>
  rows.length > 1 ? `${title}\n${inColumns(rows)}` : `${title}\nnone`;

/** By the name under which `station set` takes it, with the columns that it pins. */
const FIELDS: [field: string, columns: readonly string[], value: (station: ShownStation) => string | null][] =
  [
    ['name', ['name'], ({ name }) => name],
    ['homepage', ['homepage'], ({ homepage }) => homepage],
    ['slogan', ['slogan'], ({ slogan }) => slogan],
    ['description', ['description'], ({ description }) => description],
    ['frequency', ['frequency'], ({ frequency }) => frequency],
    ['band', ['band'], ({ band }) => band],
    ['callSign', ['call_sign'], ({ call_sign: sign }) => sign],
    ['country', ['country_id'], ({ country }) => country],
    ['place', ['region_id'], ({ region }) => region],
    [
      'latlon',
      ['latitude'],
      ({ latitude, longitude }) => (latitude === null ? null : `${latitude},${longitude}`),
    ],
    ['zone', ['zone'], ({ zone }) => zone],
    ['genres', ['genres'], ({ genres }) => genres?.join(',') || null],
    ['languages', ['languages'], ({ languages }) => languages?.join(',') || null],
    ['relay', ['relay'], ({ relay }) => relay],
    ['logo', [], ({ logo }) => logo],
    ['votes', [], ({ votes }) => String(votes)],
    ['clicks', [], ({ clicks }) => String(clicks)],
    ['popularity', [], ({ popularity }) => String(popularity)],
  ];

const fieldRows = (station: ShownStation): string[][] => [
  ['FIELD', 'SET BY', 'VALUE'],
  ...FIELDS.map(([field, columns, valueOf]) => [
    field,
    columns.some((column) => station.pinned.includes(column)) ? 'operator' : '',
    plain(valueOf(station) ?? '-'),
  ]),
];

/** Whether listeners see it, and if not, why. */
async function listedOf(pool: Pool, station: ShownStation, hasStream: boolean): Promise<string> {
  if (station.merged_into !== null) return `no: it is part of ${guideId('s', station.merged_into)}`;
  if (station.listed) return hasStream ? 'yes' : 'no: it has no listed stream';
  if (!station.pinned.includes('listed')) return 'no: an import unlisted it';
  const changes = await listChangesBefore(pool, station.id, { limit: MAX_SHOWN });
  const hidden = changes.find(
    ({ action, reverted_at: reverted }) => reverted === null && (action === 'hide' || action === 'takedown'),
  );
  return hidden ? `no: hidden ${byWhom(hidden)} (${nameOf(hidden)})` : 'no: hidden by hand';
}

const byWhom = ({ who, why, made_at: at }: ChangeRow): string =>
  plain(`by ${who} on ${at.toString().slice(0, 10)}${why === null ? '' : `: ${why}`}`);

const nameOf = ({ id, takedown_id: takedown }: ChangeRow): string =>
  takedown === null ? `change ${id}` : `change ${id}, takedown ${takedown}`;
