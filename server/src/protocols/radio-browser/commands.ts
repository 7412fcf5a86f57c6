import { isIP } from 'node:net';
import type { Pool } from 'pg';
import type { Directory } from '../../core/directory/directory.ts';
import { stationsAt } from '../../core/search/exactly-meant.ts';
import { Finder } from '../../core/search/finder.ts';
import { Fault } from '../../lib/fault.ts';
import { decodeComponent } from '../../net/http/decode-component.ts';
import type { Counts } from './counts.ts';
import { type FacetKind, facetsOf, listFacets } from './facets.ts';
import { CRITERIA, type Listing, listRanks, searchTests } from './find-stations.ts';
import { jsonRecord } from './kept-records.ts';
import { type ApiRequest, flagOf, pageOf, textParam } from './read-request.ts';
import {
  type AskedStation,
  findByUuids,
  type RecordSources,
  STATION_FIELDS,
  stationRecord,
  type ApiStation,
  uuidV5,
} from './station-record.ts';
import type { View, Views } from './view.ts';
import { type ListAnswer, answerOf, type Row, singleAnswer } from './write-answer.ts';

export interface RadioBrowserDeps {
  directory: Pick<Directory, 'current'>;
  db: Pool;
  streamBoard: RecordSources['streamBoard'];
}

interface CommandDeps extends RadioBrowserDeps {
  views: Pick<Views, 'current'>;
  counts: Counts;
}

/** The rest of the path, as text: a slash in a name that was not escaped is part of it. */
type Command = (request: ApiRequest, rest: readonly string[]) => Promise<ListAnswer>;

interface List {
  kind: FacetKind;
  /** In XML. That of countries is a slip of the first server which clients live with. */
  element: string;
  fields: readonly string[];
}

const LISTS: Readonly<Record<string, List>> = {
  countries: { kind: 'countries', element: 'language', fields: ['name', 'iso_3166_1', 'stationcount'] },
  countrycodes: { kind: 'countries', element: 'countrycode', fields: ['name', 'stationcount'] },
  states: { kind: 'states', element: 'state', fields: ['name', 'country', 'stationcount'] },
  languages: { kind: 'languages', element: 'language', fields: ['name', 'iso_639', 'stationcount'] },
  tags: { kind: 'tags', element: 'tag', fields: ['name', 'stationcount'] },
  codecs: { kind: 'codecs', element: 'codec', fields: ['name', 'stationcount'] },
};

/** What is not kept here, and is empty therefore, with what its rows would have. */
const EMPTY: Readonly<Record<string, string>> = {
  clicks: 'stationuuid clickuuid clicktimestamp clicktimestamp_iso8601',
  checksteps: 'stepuuid parent_stepuuid checkuuid stationuuid url urltype error creation_iso8601',
  streamingservers: 'uuid url statusurl status error',
};
const EMPTY_OF_STATIONS = new Set(['improvable', 'changed', 'byserveruuid']);

/** `stations/{name}/{n}`: the most of something first. */
const TOPS: ReadonlyMap<string, string> = new Map([
  ['topclick', 'clickcount'],
  ['topvote', 'votes'],
  ['lastclick', 'clicktimestamp'],
  ['lastchange', 'changetimestamp'],
]);

const CHECK_FIELDS =
  'stationuuid checkuuid source codec bitrate hls ok timestamp_iso8601 timestamp urlcache'.split(' ');

/** Answers the commands of the API over the directory. */
export class Commands {
  readonly #deps: CommandDeps;
  readonly #finder: Finder;
  readonly #commands: ReadonlyMap<string, Command>;

  constructor(deps: CommandDeps) {
    this.#deps = deps;
    this.#finder = new Finder(deps.db);
    this.#commands = new Map<string, Command>([
      ...Object.keys(LISTS).map((name): [string, Command] => [
        name,
        (request, rest) => this.#list(request, name, rest),
      ]),
      ...Object.entries(EMPTY).map(([name, fields]): [string, Command] => [
        name,
        async () => answerOf(name, fields.split(' '), []),
      ]),
      [
        'stations',
        (request, [way = '', ...rest]) => this.#stations(request, way.toLowerCase(), rest.join('/')),
      ],
      ['url', (request, [uuid = '']) => this.#play(request, uuid)],
      ['vote', (request, [uuid = '']) => this.#vote(request, uuid)],
      ['checks', (request, [uuid = '']) => this.#checks(request, uuid)],
      ['stats', () => this.#stats()],
      ['servers', async (request) => answerOf('server', ['ip', 'name'], [serverOf(request)])],
      [
        'config',
        async () => singleAnswer('config', { check_enabled: true, prometheus_exporter_enabled: false }),
      ],
      [
        'add',
        async () => statusOf(false, 'adding is closed; ask the operator of this directory', { uuid: '' }),
      ],
    ]);
  }

  /** The command's name where it is one of ours, for the metrics. */
  nameOf({ path: [command = ''] }: ApiRequest): string | undefined {
    const name = command.toLowerCase();
    return this.#commands.has(name) ? name : undefined;
  }

  async answer(request: ApiRequest): Promise<ListAnswer> {
    const command = this.#commands.get(this.nameOf(request) ?? '');
    if (command) return command(request, request.path.slice(1));
    throw new Fault(404, undefined, 'There is no such command; docs/radio-browser.md lists those there are');
  }

  async #list(request: ApiRequest, name: string, rest: readonly string[]): Promise<ListAnswer> {
    const { kind, element, fields } = LISTS[name]!;
    const view = await this.#deps.views.current();
    // `states/Germany/` are all of a country, `states/bavaria` those of that name.
    const hasCountry = kind === 'states' && rest.length > 1;
    const rows = listFacets(view, request, {
      kind,
      isCodes: name === 'countrycodes',
      filter: (hasCountry ? rest.slice(1) : rest).join('/'),
      country: hasCountry ? rest[0] : undefined,
    });
    return answerOf(element, fields, rows);
  }

  async #stations(request: ApiRequest, way: string, term: string): Promise<ListAnswer> {
    if (EMPTY_OF_STATIONS.has(way)) return { ...answerOf('station', STATION_FIELDS, []), isPlayable: true };
    const view = await this.#deps.views.current();
    if (way === 'byuuid') {
      const found = await findByUuids(view, (term || textParam(request, 'uuids')).split(','));
      return this.#page(view, request, found);
    }
    if (way === 'byurl') return this.#page(view, request, await this.#atUrl(view, request));
    const ranks = await listRanks(view, request, listingOf(way, term, request, view));
    return this.#records(
      view,
      request,
      ranks.map((rank) => ({ rank })),
    );
  }

  /** One client writes the address unescaped: what stands behind `url=` to the end is tried too. */
  async #atUrl({ snapshot }: View, request: ApiRequest): Promise<AskedStation[]> {
    const whole = decodeComponent(/(?:^|&)url=([^]*)/i.exec(request.rawQuery)?.[1] ?? '') ?? '';
    for (const address of new Set([textParam(request, 'url'), whole])) {
      if (address === '') continue;
      const { stations: hits } = await stationsAt(address, this.#finder);
      const stations = hits.map(({ id }) => snapshot.stationById.get(id)).filter((one) => one !== undefined);
      if (stations.length > 0) return stations.map(({ rank }) => ({ rank }));
    }
    return [];
  }

  #page(view: View, request: ApiRequest, found: AskedStation[]): ListAnswer {
    const hidesBroken = flagOf(request, 'hidebroken') === true;
    const shown = hidesBroken ? found.filter(({ rank }) => view.working[rank] === 1) : found;
    return this.#records(view, request, pageOf(shown, request));
  }

  #records(view: View, request: ApiRequest, asked: readonly AskedStation[]): ListAnswer {
    const sources = this.#sourcesFor(request);
    const rows = each(asked, ({ rank, asUuid }) => stationRecord(view, rank, sources, asUuid));
    const jsonRows = each(asked, ({ rank, asUuid }) =>
      asUuid === undefined || asUuid === view.uuids[rank]
        ? jsonRecord(view, rank, sources)
        : JSON.stringify(stationRecord(view, rank, sources, asUuid)),
    );
    return {
      element: 'station',
      fields: STATION_FIELDS,
      count: asked.length,
      rows,
      jsonRows,
      isPlayable: true,
    };
  }

  #sourcesFor({ peer: { origin } }: ApiRequest): RecordSources {
    const { streamBoard, counts } = this.#deps;
    return { streamBoard, counts, origin };
  }

  async #get(request: ApiRequest, uuid: string): Promise<{ stationId: number; record: ApiStation }> {
    const view = await this.#deps.views.current();
    const [found] = await findByUuids(view, [uuid]);
    if (!found)
      throw new Fault(404, undefined, 'No station has this UUID; stations/search finds those there are');
    const { id: stationId } = view.snapshot.stations[found.rank]!;
    return { stationId, record: stationRecord(view, found.rank, this.#sourcesFor(request), found.asUuid) };
  }

  /** Where to listen. */
  async #play(request: ApiRequest, uuid: string): Promise<ListAnswer> {
    const { stationId, record } = await this.#get(request, uuid);
    if (!request.isHead) this.#deps.counts.click(request.peer.address, stationId);
    const { lastcheckok, stationuuid, name, url_resolved: url } = record;
    const answer = statusOf(lastcheckok === 1, 'retrieved station url', { stationuuid, name, url });
    return { ...answer, isPlayable: true };
  }

  async #vote(request: ApiRequest, uuid: string): Promise<ListAnswer> {
    const { stationId } = await this.#get(request, uuid);
    const counts = request.isHead || (await this.#deps.counts.vote(request.peer.address, stationId));
    return counts
      ? statusOf(true, 'voted for station successfully')
      : statusOf(false, 'you are voting for the same station too often');
  }

  /** The last check of a station. */
  async #checks(request: ApiRequest, uuid: string): Promise<ListAnswer> {
    if (uuid === '') return answerOf('check', CHECK_FIELDS, []);
    const { record } = await this.#get(request, uuid);
    const { stationuuid, codec, bitrate, hls, lastcheckok: ok } = record;
    const row = {
      stationuuid,
      checkuuid: uuidV5(`check ${stationuuid} ${record.lastchecktime_iso8601}`),
      source: request.peer.origin,
      codec,
      bitrate,
      hls,
      ok,
      timestamp_iso8601: record.lastchecktime_iso8601,
      timestamp: record.lastchecktime,
      urlcache: record.url_resolved,
    };
    return answerOf('check', CHECK_FIELDS, [row]);
  }

  async #stats(): Promise<ListAnswer> {
    const view = await this.#deps.views.current();
    const { counts } = this.#deps;
    const count = (kind: FacetKind): number => facetsOf(view, kind).length;
    return singleAnswer('stats', {
      supported_version: 1,
      software_version: 'longwave',
      status: 'OK',
      stations: view.snapshot.stations.length,
      stations_broken: view.working.filter((flag) => flag === 0).length,
      tags: count('tags'),
      clicks_last_hour: counts.clicksWithin(1),
      clicks_last_day: counts.clicksWithin(24),
      languages: count('languages'),
      countries: count('countries'),
    });
  }
}

function listingOf(way: string, term: string, request: ApiRequest, view: View): Listing {
  if (way === '') return { tests: [] };
  if (way === 'search') return { tests: searchTests(view, request) };
  // A number that is none means 0 to the first server.
  const limited = term === '' ? {} : { limit: Number(term) || 0 };
  const order = TOPS.get(way);
  if (order !== undefined) return { tests: [], order, reverse: true, ...limited };
  if (way === 'broken') return { tests: [(rank) => view.working[rank] === 0], ...limited };
  const criterion = CRITERIA.get(way);
  if (criterion) return { tests: [criterion(view, term)] };
  throw new Fault(
    404,
    undefined,
    'Stations are not listed this way; docs/radio-browser.md has the ways there are',
  );
}

/** What came of it; a refusal by the rules of the API has status 200 as well. */
const statusOf = (ok: boolean, message: string, more: Row = {}): ListAnswer =>
  singleAnswer('status', { ok, message, ...more });

function serverOf({ peer }: ApiRequest): Row {
  const { host, hostname } = new URL(peer.origin);
  return { ip: isIP(hostname) === 0 ? '' : hostname, name: host };
}

/** Each made when it is its turn. */
const each = <One, Made>(ones: readonly One[], make: (one: One) => Made): Iterable<Made> => ({
  *[Symbol.iterator]() {
    for (const one of ones) yield make(one);
  },
});
