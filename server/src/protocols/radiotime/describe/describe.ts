import type { Directory } from '../../../core/directory/directory.ts';
import type { OnAirBoard } from '../../../core/directory/live/on-air-board.ts';
import { type Aliases, findByAnyId } from '../../../core/directory/lookup/by-any-id.ts';
import { snapshotName } from '../../../core/directory/snapshot/snapshot.ts';
import type { ListedSongs } from '../../../core/now-playing/listed-songs.ts';
import type { PlayingBoard } from '../../../core/now-playing/playing-board.ts';
import type { Outline } from '../../../formats/opml/document.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Action, Answer, Call, Endpoint } from '../call/endpoint.ts';
import type { SavedItems } from '../call/saved-items.ts';
import { Catalogue, LastSongs } from './catalogue.ts';
import { itemObject } from './details.ts';
import { askedGroups, COMPOSITES, DETAILS } from './groups.ts';
import { countryList, FORMAT_LIST, genreList, languageOutlines, localeList } from './lists.ts';
import { showPlaying, stationPlaying, topicPlaying } from './now-playing.ts';
import { onAirSeconds } from './on-air.ts';
import { type DescribeRequest, type CurrentSong, type Item, itemFinder } from './request.ts';

export interface DescribeDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  /** The current songs, if tracked. */
  playing?: Pick<PlayingBoard, 'songOf' | 'asked'> | undefined;
  /** What lists show for each station, as in Browse. */
  onAirBoard?: Pick<OnAirBoard, 'on'> | undefined;
  listedSongs?: Pick<ListedSongs, 'on'> | undefined;
  clock?: Clock | undefined;
  /** Callers' saved items; without it nothing is marked as saved. */
  saved?: Pick<SavedItems, 'now'> | undefined;
}

type DescribeItem = (request: DescribeRequest, item: Item, call: Call) => Answer | Promise<Answer>;

/** Facts that are not menus: descriptions, what is playing, and lists of names. */
export function describe(deps: DescribeDeps): Endpoint[] {
  const { directory, db, aliases, playing: board, clock } = deps;
  const catalogue = new Catalogue(db, clock);
  const lastSongs = new LastSongs(db);
  const requestOf = ({ caller, now }: Call): DescribeRequest => {
    const snapshot = directory.current();
    return {
      snapshot,
      words: caller.words,
      formats: caller.formats,
      now,
      catalogue,
      lastSongs,
      songOf: (stationId) => songHeard(board, stationId),
      listed: () => ({ onAir: deps.onAirBoard?.on(snapshot), songs: deps.listedSongs?.on(snapshot) }),
    };
  };
  /** A well-formed unknown id gets an empty answer: the item may be gone. */
  const about =
    (present: DescribeItem, idOf: (text: string) => string = asGiven): Action =>
    async (call) => {
      const saved = await deps.saved?.now(call);
      const request = { ...requestOf(call), saved };
      const id = idOf(call.params.required('id', asGiven));
      const item = await findByAnyId(id, aliases, itemFinder(request.snapshot, catalogue));
      return item ? present(request, item, call) : { outlines: [] };
    };
  /** Names in the caller's language; cached per language until the directory changes. */
  const list =
    (c: string, make: (request: DescribeRequest) => readonly Outline[]): Action =>
    (call) => {
      const request = requestOf(call);
      const menu = `describe ${c} ${request.words.language} ${snapshotName(request.snapshot)}`;
      return { menu, document: () => ({ outlines: make(request) }) };
    };
  const countries: Action = async ({ caller: { words } }) => {
    const { rows, reading } = await catalogue.listCountries();
    const menu = `describe countries ${words.language} ${reading}`;
    return { menu, document: () => ({ outlines: countryList(rows, words) }) };
  };
  const playing = about(nowPlaying, stationNumber);
  const actions = new Map<string, Action>([
    ['', about(description)],
    ['composite', about(composite)],
    ['nowplaying', playing],
    ['countries', countries],
    ['languages', list('languages', languageOutlines)],
    ['genres', list('genres', genreList)],
    ['locales', list('locales', localeList)],
    ['formats', list('formats', () => FORMAT_LIST)],
  ]);
  return [
    { paths: ['/Describe.ashx'], actions },
    // The legacy page of older radios, which has no actions.
    { paths: ['/NowPlaying.aspx'], actions: new Map([['', playing]]), fallback: () => playing },
  ];
}

function songHeard(board: DescribeDeps['playing'], stationId: number): CurrentSong {
  const isCold = board?.asked(stationId);
  const song = board?.songOf(stationId);
  if (!song) return { song, isCold };
  const { endsAt, ...given } = song;
  const end = endsAt === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(Math.round(endsAt));
  return { song: { ...given, endsAt: end }, isCold };
}

const asGiven = (text: string): string => text;

/** Some clients cut off the letter: a bare number is a station's. */
const stationNumber = (text: string): string => (/^\d+$/.test(text) ? `s${text}` : text);

const description: DescribeItem = async (request, item, { params }) => {
  const object = await itemObject(request, item);
  const groups = await askedGroups(DETAILS, params.list('detail'), request, item);
  return { outlines: [object, ...groups], saved: request.saved };
};

const composite: DescribeItem = async (request, item, { params }) => {
  const asked = params.list('detail');
  const names = asked.length > 0 ? asked : ['listing'];
  return { outlines: await askedGroups(COMPOSITES, names, request, item), saved: request.saved };
};

const nowPlaying: DescribeItem = async (request, item) => {
  const { catalogue, lastSongs, now, songOf } = request;
  if (item.kind === 'topic') return { outlines: topicPlaying(item.topic), maxAgeSeconds: 300 };
  if (item.kind === 'show') return { outlines: showPlaying(request, item.show), maxAgeSeconds: 300 };
  const { station } = item;
  const heard = songOf(station.id);
  const [schedule, last] = await Promise.all([
    catalogue.listOnAir(station.id),
    heard.isCold && !heard.song ? lastSongs.find(station.id, now) : undefined,
  ]);
  const given = { schedule, song: heard.song ?? last };
  const maxAgeSeconds = onAirSeconds({ schedule, ...heard }, now);
  return { outlines: stationPlaying(request, station, given), maxAgeSeconds };
};

/**
 * Stations that play given artists (`a[0]`, `a[1]` …). We do not know which station plays whom, so a valid request gets
 * an empty list.
 */
export function recommend(): Endpoint {
  return {
    paths: ['/Recommend.ashx'],
    actions: new Map([
      [
        '',
        ({ params }) => {
          if (params.has('a[0]')) return { outlines: [] };
          throw new Fault(400, 'request.invalid', "Required parameter 'a[0]' not provided: name an artist");
        },
      ],
    ]),
  };
}
