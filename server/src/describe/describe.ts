import type { Queryable } from '../db/pool.ts';
import type { Aliases } from '../directory/aliases.ts';
import { findByAnyId } from '../directory/by-any-id.ts';
import type { Directory } from '../directory/directory.ts';
import type { OnAirBoard } from '../directory/on-air-board.ts';
import { snapshotName } from '../directory/snapshot-name.ts';
import type { Action, Answer, Call, Endpoint } from '../http/endpoint.ts';
import type { SavedItems } from '../http/saved-items.ts';
import type { Clock } from '../lib/clock.ts';
import type { Outline } from '../opml/document.ts';
import { Catalogue } from './catalogue.ts';
import { COMPOSITES, DETAILS, askedGroups } from './groups.ts';
import { itemObject } from './item-object.ts';
import { type Item, itemFinder } from './item.ts';
import { FORMAT_LIST, countryList, genreList, languageList, localeList } from './lists.ts';
import { showPlaying, stationPlaying, topicPlaying } from './now-playing.ts';
import { LastSongs } from './last-songs.ts';
import { onAirSeconds } from './on-air.ts';
import type { ListedSongs } from '../playing/listed-songs.ts';
import type { PlayingBoard } from '../playing/playing-board.ts';
import type { DescribeRequest, HeardSong } from './request.ts';

export interface DescribeNeeds {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  /** The songs that stations play, where somebody knows them. */
  playing?: Pick<PlayingBoard, 'songOf' | 'asked'> | undefined;
  /** What lists of stations tell of each, as Browse does. */
  onAirBoard?: Pick<OnAirBoard, 'on'> | undefined;
  listedSongs?: Pick<ListedSongs, 'on'> | undefined;
  clock?: Clock | undefined;
  /** What callers have saved; without it nobody is told that they have. */
  saved?: Pick<SavedItems, 'now'> | undefined;
}

type Tell = (request: DescribeRequest, item: Item, call: Call) => Answer | Promise<Answer>;

/** What is told about an item that is not navigated: its description, what it plays, and the lists of names. */
export function describe(needs: DescribeNeeds): Endpoint[] {
  const { directory, db, aliases, playing: board, clock } = needs;
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
      listed: () => ({ onAir: needs.onAirBoard?.on(snapshot), songs: needs.listedSongs?.on(snapshot) }),
    };
  };
  /** An id that is well formed and names nothing is answered with nothing: the item may be gone. */
  const about =
    (tell: Tell, idOf: (text: string) => string = asGiven): Action =>
    async (call) => {
      const saved = await needs.saved?.now(call);
      const request = { ...requestOf(call), saved };
      const id = idOf(call.params.required('id', asGiven));
      const item = await findByAnyId(id, aliases, itemFinder(request.snapshot, catalogue));
      return item ? tell(request, item, call) : { outlines: [] };
    };
  /** The names in the caller's language, the same for all who read it until the directory changes. */
  const list =
    (c: string, make: (request: DescribeRequest) => readonly Outline[]): Action =>
    (call) => {
      const request = requestOf(call);
      const menu = `describe ${c} ${request.words.language} ${snapshotName(request.snapshot)}`;
      return { menu, document: () => ({ outlines: make(request) }) };
    };
  const countries: Action = async ({ caller }) => ({
    outlines: countryList(await catalogue.listCountries(), caller.words),
  });
  const playing = about(nowPlaying, stationNumber);
  const actions = new Map<string, Action>([
    ['', about(description)],
    ['composite', about(composite)],
    ['nowplaying', playing],
    ['countries', countries],
    ['languages', list('languages', languageList)],
    ['genres', list('genres', genreList)],
    ['locales', list('locales', localeList)],
    ['formats', list('formats', () => FORMAT_LIST)],
  ]);
  return [
    { paths: ['/Describe.ashx'], actions },
    // The page that older radios ask; there is nothing to choose on it.
    { paths: ['/NowPlaying.aspx'], actions: new Map([['', playing]]), fallback: () => playing },
  ];
}

function songHeard(board: DescribeNeeds['playing'], stationId: number): HeardSong {
  const isCold = board?.asked(stationId);
  const song = board?.songOf(stationId);
  if (!song) return { song, isCold };
  const { endsAt, ...told } = song;
  const end = endsAt === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(Math.round(endsAt));
  return { song: { ...told, endsAt: end }, isCold };
}

const asGiven = (text: string): string => text;

/** Some clients cut the letter off: a bare number is a station's. */
const stationNumber = (text: string): string => (/^\d+$/.test(text) ? `s${text}` : text);

const description: Tell = async (request, item, { params }) => {
  const object = await itemObject(request, item);
  const groups = await askedGroups(DETAILS, params.list('detail'), request, item);
  return { outlines: [object, ...groups], saved: request.saved };
};

const composite: Tell = async (request, item, { params }) => {
  const asked = params.list('detail');
  const names = asked.length > 0 ? asked : ['listing'];
  return { outlines: await askedGroups(COMPOSITES, names, request, item), saved: request.saved };
};

const nowPlaying: Tell = async (request, item) => {
  const { catalogue, lastSongs, now, songOf } = request;
  if (item.kind === 'topic') return { outlines: topicPlaying(item.topic), maxAgeSeconds: 300 };
  if (item.kind === 'show') return { outlines: showPlaying(request, item.show), maxAgeSeconds: 300 };
  const { station } = item;
  const heard = songOf(station.id);
  const [schedule, last] = await Promise.all([
    catalogue.listOnAir(station.id),
    heard.isCold && !heard.song ? lastSongs.find(station.id, now) : undefined,
  ]);
  const told = { schedule, song: heard.song ?? last };
  const maxAgeSeconds = onAirSeconds({ schedule, ...heard }, now);
  return { outlines: stationPlaying(request, station, told), maxAgeSeconds };
};
