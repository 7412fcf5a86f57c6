import { integerSetting, type Setting } from './setting.ts';

/** How lists of stations are written; `stations` is JSON in radio-browser's words. */
export const LIST_KINDS = ['stations', 'csv', 'm3u', 'pls', 'opml'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** A source that is imported again every day. */
export interface ConfiguredSource {
  /** The operator's name for it. */
  name: string;
  kind: ListKind;
  /** The address of a web server, or the path of a file. */
  address: string;
}

const KIND_BY_ENDING: Readonly<Record<string, ListKind>> = {
  json: 'stations',
  jsonl: 'stations',
  ndjson: 'stations',
  csv: 'csv',
  tsv: 'csv',
  m3u: 'm3u',
  m3u8: 'm3u',
  pls: 'pls',
  opml: 'opml',
};

const SOURCE = /^(?<name>[a-z0-9][a-z0-9-]{0,59})(?::(?<kind>[a-z0-9]+))?=(?<address>\S{1,2048})$/;

function parseSource(text: string): ConfiguredSource | undefined {
  const { name = '', kind, address = '' } = SOURCE.exec(text)?.groups ?? {};
  const known = kind === undefined ? kindOf(address) : LIST_KINDS.find((each) => each === kind);
  return known && { name, kind: known, address };
}

/** By the ending of the file, packed or not. */
function kindOf(address: string): ListKind | undefined {
  const path = isUrl(address) ? (URL.parse(address)?.pathname ?? '') : address;
  const [, ending = ''] = /\.([a-z0-9]+)$/.exec(path.toLowerCase().replace(/\.gz$/, '')) ?? [];
  return Object.hasOwn(KIND_BY_ENDING, ending) ? KIND_BY_ENDING[ending] : undefined;
}

export const isUrl = (address: string): boolean => /^https?:\/\//i.test(address);

/** Two lists of one name would each call the other's records gone. */
function parseSources(text: string): readonly ConfiguredSource[] | undefined {
  const items = text.split(/\s+/).map(parseSource);
  const good = items.filter((item) => item !== undefined);
  const names = new Set(good.map(({ name }) => name));
  return names.size === items.length ? Object.freeze(good) : undefined;
}

/** A query may hold a key. */
function writeSource({ name, kind, address }: ConfiguredSource): string {
  const url = isUrl(address) ? URL.parse(address) : null;
  const shown = url ? `${url.origin}${url.pathname}${url.search === '' ? '' : '?***'}` : address;
  return `${name}:${kind}=${shown}`;
}

const RADIO_BROWSER = 'radio-browser';

/** By what the records of a list are known; those of radio-browser have no kind before their name. */
export const recordSourceOf = (kind: string, name: string): string =>
  (kind === 'stations' && name === RADIO_BROWSER ? RADIO_BROWSER : `${kind}:${name}`).slice(0, 100);

/** Settings of imports, and of the sources that are imported again every day. */
export const SOURCE_SETTINGS = {
  stationSources: {
    name: 'STATION_SOURCES',
    parse: parseSources,
    expects:
      'a list of `name=address` or `name:kind=address`, separated by spaces; names are different, of small letters, digits and hyphens; the address is an http or https URL or the path of a file, without spaces; the kind, one of stations, csv, m3u, pls and opml, may be left out if the address ends in .json, .jsonl, .csv, .m3u, .pls or .opml, packed (.gz) or not',
    unset: Object.freeze([]),
    secret: true,
    description:
      'The lists of stations that `longwave work` imports again every day, and `longwave import sources` at once, such as `radio-browser=https://backups.example/radiobrowser_stations_latest.json.gz house=/etc/longwave/stations.csv`.',
    write: (sources) => sources.map(writeSource).join(' '),
  } satisfies Setting<readonly ConfiguredSource[]> as Setting<readonly ConfiguredSource[]>,
  withdrawAfterDays: integerSetting({
    name: 'WITHDRAW_AFTER_DAYS',
    min: 1,
    max: 3650,
    unset: 30,
    description:
      'For how many days a source must have lacked a record before it is withdrawn, if its stream was not heard in that time either.',
  }),
  maxDropPercent: integerSetting({
    name: 'MAX_DROP_PERCENT',
    min: 0,
    max: 100,
    unset: 5,
    description:
      'If a source lacks more of its earlier records than this, and more than 20, none of them counts as gone until `longwave import … --accept-drop`: its file may be truncated.',
  }),
} as const;
