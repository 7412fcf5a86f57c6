import { OnAirLists } from '../catalog/on-air.ts';
import type { Queryable } from '../db/pool.ts';
import type { Aliases } from '../directory/aliases.ts';
import type { Directory } from '../directory/directory.ts';
import type { Action, Call, Endpoint } from '../http/endpoint.ts';
import type { Clock } from '../lib/clock.ts';
import type { Coordinate } from '../lib/geo.ts';
import { ALL_FORMATS, type FormatMask, onlyFormats, playsShow } from '../lib/stream-format.ts';
import type { OpmlDocument } from '../opml/document.ts';
import type { PlayingBoard } from '../playing/playing-board.ts';
import { itemOfId, stationsAt } from './exactly-meant.ts';
import type { Hit } from './find.ts';
import { Finder, type Found, type ShowHit } from './finder.ts';
import type { SongPart } from './fit-song.ts';
import { findGenreNamed } from './genre-named.ts';
import { ENOUGH, PLENTY } from './queries.ts';
import {
  type Question,
  type Wish,
  narrowed,
  readQuestion,
  readWish,
  requiredText,
  textOf,
} from './question.ts';
import { type RankedStation, rankStations } from './rank.ts';
import { type Results, resultsDocument } from './results.ts';
import { SongIndex } from './song-index.ts';
import { looksLikeAddress } from './stream-address.ts';

export interface SearchNeeds {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  /** Where an address is; nearer stations come a little earlier. */
  placeOfAddress?: ((ip: string) => { coordinate: Coordinate | undefined } | undefined) | undefined;
  /** Where a caller stands of whom nothing else is known. */
  homePlace?: Coordinate | undefined;
  /** What stations play now; without it no song is found. */
  playing?: Pick<PlayingBoard, 'listPlaying' | 'songOf' | 'onNews' | 'size'> | undefined;
  clock?: Clock | undefined;
}

interface Needs extends SearchNeeds {
  onAir: OnAirLists;
}

const STATIONS_SHOWN = 50;
const SHOWS_SHOWN = 10;
/** With fewer results than this, those are shown too that the caller cannot play. */
const FEW_RESULTS = 25;
/** For each that is shown, where some cannot be played. */
const SHOWS_TO_CHOOSE_FROM = 5;
/** Only the first shows are worth looking into. */
const SHOWS_WITH_TOPICS = 2;

/** Stations and shows by what a listener types. */
export function search(needed: SearchNeeds): Endpoint {
  const finder = new Finder(needed.db);
  const needs = { ...needed, onAir: new OnAirLists(needed.db, needed.clock) };
  const songs = needed.playing && new SongIndex(needed.playing);
  const byWords: Action = (call) => searchWords(needs, finder, call);
  const byAddress: Action = async (call) =>
    present(needs, call, await stationsAt(requiredText(call.params), finder));
  const bySong =
    (part: SongPart): Action =>
    (call) => {
      const text = requiredText(call.params);
      return present(needs, call, { stations: songs?.find(text, part) ?? [], shows: [] });
    };
  return {
    paths: ['/Search.ashx', '/Search.aspx'],
    actions: new Map([
      ['', byWords],
      ['stream', byAddress],
      ['song', bySong('song')],
      ['artist', bySong('artist')],
      ['song,artist', bySong('either')],
      ['artist,song', bySong('either')],
    ]),
  };
}

interface Shown extends Found {
  topics?: Results['topics'];
  genre?: Results['genre'];
}

async function searchWords(needs: Needs, finder: Finder, call: Call): Promise<OpmlDocument> {
  const question = readQuestion(call.params);
  const wish = narrowed(readWish(call.params), question);
  const text = textOf(call.params);
  if (wish.stations && looksLikeAddress(text)) {
    const meant = await stationsAt(text, finder);
    if (meant.stations.length > 0) return present(needs, call, meant);
  }
  const snapshot = needs.directory.current();
  const [meant, found] = await Promise.all([
    itemOfId(text, snapshot, finder, needs.aliases),
    findEnough(needs, finder, call, wish, question),
  ]);
  const { formats } = call.caller;
  const named = wish.shows ? inFront(meant.shows, found.shows, ({ show }) => show.id) : [];
  const shows = named.filter(({ show }) => playsShow(show, formats));
  return present(needs, call, {
    stations: wish.stations ? inFront(meant.stations, found.stations, ({ id }) => id) : [],
    shows,
    topics: wish.topics ? await topicsOf(finder, question, shows, formats) : [],
    genre: wish.stations ? findGenreNamed(snapshot, question.words, call.caller.words) : undefined,
  });
}

const NOTHING: Found = { stations: [], shows: [] };

/** Popular stations come first in every format, so who plays a rare one is given more to choose from. */
async function findEnough(
  needs: SearchNeeds,
  finder: Finder,
  call: Call,
  { stations, shows }: Wish,
  question: Question,
): Promise<Found> {
  if (!stations && !shows) return NOTHING;
  const kinds = stations && shows ? 'sp' : stations ? 's' : 'p';
  // Of shows that the caller cannot play none is shown, so there must be others to choose from.
  const isPicky = onlyFormats(call.caller.formats) !== undefined;
  const room = { kinds, shows: showsShown(call) * (isPicky ? SHOWS_TO_CHOOSE_FROM : 1) } as const;
  const found = await finder.find({ ...question, ...room, enough: ENOUGH });
  if (found.stations.length < ENOUGH || call.caller.formats === ALL_FORMATS) return found;
  const playable = ranked(needs, call, found.stations).filter(({ isPlayable }) => isPlayable);
  if (playable.length >= STATIONS_SHOWN) return found;
  return finder.find({ ...question, ...room, enough: PLENTY });
}

const showsShown = ({ caller }: Call): number => caller.partner?.shows_per_group ?? SHOWS_SHOWN;

function inFront<T>(meant: readonly T[], others: readonly T[], idOf: (hit: T) => number): readonly T[] {
  const ids = new Set(meant.map(idOf));
  return ids.size === 0 ? others : [...meant, ...others.filter((hit) => !ids.has(idOf(hit)))];
}

/** Those whose own titles have the words, then the newest of the first shows that were found. */
async function topicsOf(
  finder: Finder,
  question: Question,
  shows: readonly ShowHit[],
  formats: FormatMask,
): Promise<Results['topics']> {
  const first = shows.slice(0, SHOWS_WITH_TOPICS);
  const [about, ...lists] = await Promise.all([
    finder.topicsAbout(question, formats),
    ...first.map(({ show }) => finder.topicsOf(show.id, formats)),
  ]);
  return inFront(about, lists.flat(), ({ id }) => id);
}

function ranked(
  { directory, placeOfAddress, homePlace }: SearchNeeds,
  { caller }: Call,
  hits: readonly Hit[],
): RankedStation[] {
  const place = caller.latlon ?? placeOfAddress?.(caller.geoIp)?.coordinate ?? homePlace;
  return rankStations(directory.current(), hits, { place, formats: caller.formats });
}

async function present(needs: Needs, call: Call, found: Shown): Promise<OpmlDocument> {
  const { caller, params } = call;
  const { partner } = caller;
  const { unplayable } = readWish(params);
  const all = ranked(needs, call, found.stations);
  const playable = all.filter(({ isPlayable }) => isPlayable);
  const stations = playable.slice(0, partner?.stations_per_group ?? STATIONS_SHOWN);
  const shows = found.shows.slice(0, showsShown(call));
  const isFew = stations.length + shows.length < FEW_RESULTS;
  const showsAll = unplayable === 'always' || (unplayable === 'if few' && isFew);
  return resultsDocument({
    text: requiredText(params),
    snapshot: needs.directory.current(),
    words: caller.words,
    genre: found.genre,
    stations,
    onAir: await needs.onAir.of(stations.map(({ station }) => station.id)),
    songOf: (stationId) => needs.playing?.songOf(stationId),
    shows,
    topics: found.topics ?? [],
    unplayable: showsAll ? all.filter(({ isPlayable }) => !isPlayable).slice(0, STATIONS_SHOWN) : [],
  });
}
