import { readJsonItems } from '../../../formats/json-lines/read.ts';
import { coordinate } from '../../../lib/geo.ts';
import type { SourceItem } from '../../pipeline/import-stations.ts';
import type { PointSource, StationRecord } from '../../pipeline/record.ts';

export const RADIO_BROWSER = 'radio-browser';

/** JSON lines say in `src` how the point was learned; radio-browser itself has only what editors entered. */
const POINT_SOURCES: Readonly<Record<string, PointSource>> = {
  fcc: 'register',
  'city-name': 'city',
  'radioglobe-city': 'city',
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * One radio-browser station, in any of the three spellings in use: the API's, the dump's (`url_stream`, `iso_3166_1`),
 * and JSON lines made from either (`id`, lists instead of comma-separated text).
 */
export function radioBrowserRecord(value: unknown): StationRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Fields(value);
  const record = fields.text('stationuuid', 'id');
  if (record === undefined || record.length > 200) return undefined;
  const isTheirs = UUID.test(record) && fields.text('id_src') !== 'derived';
  return {
    source: RADIO_BROWSER,
    record,
    list: fields.list('source')[0],
    name: fields.text('name') ?? '',
    address: fields.text('url', 'url_stream') ?? '',
    resolvedAddress: fields.text('url_resolved'),
    homepage: fields.text('homepage', 'url_homepage'),
    logo: fields.text('favicon', 'url_favicon'),
    countryCode: fields.text('countrycode', 'iso_3166_1'),
    countryName: fields.text('country'),
    state: fields.text('state'),
    city: fields.text('city'),
    coordinate: coordinate(fields.number('geo_lat'), fields.number('geo_long')),
    pointSource: POINT_SOURCES[fields.object('src').text('geo') ?? ''],
    codec: fields.text('codec'),
    lastCheckOk: fields.flag('lastcheckok'),
    lastSeen: fields.text('lastseen', 'lastchecktime_iso8601')?.slice(0, 10),
    radioBrowserId: isTheirs ? record.toLowerCase() : undefined,
    dead: fields.text('probe') === 'dead' ? true : undefined,
    languages: fields.list('languages', 'languagecodes', 'iso_639', 'language'),
    tags: fields.list('tags'),
    bitrateKbps: fields.number('bitrate') || 0,
    hls: fields.flag('hls') ?? false,
    votes: fields.number('votes') || 0,
    clicks: fields.number('clickcount') || 0,
  };
}

/** Reads a field by the first of its names that has a value. */
class Fields {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(value: object) {
    // Only fixed names are read, so nothing inherited is ever taken for a field.
    this.#fields = { ...value };
  }

  text(...names: string[]): string | undefined {
    for (const name of names) {
      const value = this.#fields[name];
      if (typeof value === 'string' && value.trim() !== '') return value;
    }
    return undefined;
  }

  number(name: string): number {
    const value = this.#fields[name];
    return typeof value === 'number' ? value : Number.parseFloat(this.text(name) ?? '');
  }

  object(name: string): Fields {
    const value = this.#fields[name];
    return new Fields(typeof value === 'object' && value !== null ? value : {});
  }

  flag(name: string): boolean | undefined {
    const value = this.#fields[name];
    if (value === undefined || value === null || value === '') return undefined;
    return value === true || value === 1 || value === '1';
  }

  list(...names: string[]): string[] {
    for (const name of names) {
      const value = this.#fields[name];
      const items = Array.isArray(value) ? value : (this.text(name)?.split(',') ?? []);
      if (items.length > 0)
        return items.filter((item) => typeof item === 'string').map((item) => item.trim());
    }
    return [];
  }
}

/** Stations of a dump, an API answer or JSON lines; gzip is detected by the bytes themselves. */
export async function* readRadioBrowser(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SourceItem> {
  for await (const item of readJsonItems(bytes)) {
    const at = `entry ${item.number}`;
    if ('error' in item) {
      yield { refused: 'not readable as JSON', at: `${at}: ${item.error}` };
      continue;
    }
    const record = radioBrowserRecord(item.value);
    yield record ? { record } : { refused: 'not a station: it has neither stationuuid nor id', at };
  }
}
