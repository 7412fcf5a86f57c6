import type { Directory } from '../../../core/directory/directory.ts';
import type { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import type { PlayingBoard } from '../../../core/now-playing/playing-board.ts';
import { type CallerPlaces, countryOf, pointOf } from '../../../core/places/caller-places.ts';
import { findEverythingMeant, inFront } from '../../../core/search/everything-meant.ts';
import { stationsAt } from '../../../core/search/exactly-meant.ts';
import type { Hit } from '../../../core/search/find.ts';
import { Finder, type SearchResults, type ShowHit } from '../../../core/search/finder.ts';
import { looksLikeAddress } from '../../../core/search/queries.ts';
import type { Question } from '../../../core/search/question.ts';
import { foldFamilies, type RankedStation, rankFound } from '../../../core/search/rank.ts';
import { SongIndex, type SongPart } from '../../../core/search/song-index.ts';
import type { OpmlDocument } from '../../../formats/opml/document.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { FormatMask } from '../../../lib/stream-format.ts';
import { OnAirLists } from '../../../storage/catalog/schedules/on-air.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Action, Call, Endpoint } from '../call/endpoint.ts';
import { MAX_FAMILY_LINKS } from '../outlines/family-lines.ts';
import { narrowed, readQuestion, readSearchOptions, requiredText, searchTextOf } from './question.ts';
import { type Results, resultsDocument } from './results.ts';

export interface SearchDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  /** Nearby stations rank a little higher. */
  places?: Pick<CallerPlaces, 'of'> | undefined;
  /** Current songs; without it songs are not searched. */
  playing?: Pick<PlayingBoard, 'listPlaying' | 'songOf' | 'onNews' | 'size'> | undefined;
  clock?: Clock | undefined;
}

interface Deps extends SearchDeps {
  onAir: OnAirLists;
}

const STATIONS_SHOWN = 50;
const SHOWS_SHOWN = 10;
/** With fewer results than this, stations that the caller cannot play are shown too. */
const FEW_RESULTS = 25;
/** Only the first shows are searched for topics. */
const SHOWS_WITH_TOPICS = 2;

/** Searches stations and shows. */
export function search(needed: SearchDeps): Endpoint {
  const finder = new Finder(needed.db);
  const deps = { ...needed, onAir: new OnAirLists(needed.db, needed.clock) };
  const songs = needed.playing && new SongIndex(needed.playing);
  const byWords: Action = (call) => searchWords(deps, finder, call);
  const byAddress: Action = async (call) =>
    present(deps, call, await stationsAt(requiredText(call.params), finder));
  const bySong =
    (part: SongPart): Action =>
    (call) => {
      const text = requiredText(call.params);
      return present(deps, call, { stations: songs?.find(text, part) ?? [], shows: [] });
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

interface Shown extends SearchResults {
  topics?: Results['topics'];
  genre?: Results['genre'];
  /** A family is one line; who looks for a song or an address is shown every station that has it. */
  oncePerFamily?: boolean;
}

async function searchWords(deps: Deps, finder: Finder, call: Call): Promise<OpmlDocument> {
  const question = readQuestion(call.params);
  const options = narrowed(readSearchOptions(call.params), question);
  const text = searchTextOf(call.params);
  if (options.stations && looksLikeAddress(text)) {
    const meant = await stationsAt(text, finder);
    if (meant.stations.length > 0) return present(deps, call, meant);
  }
  const { formats, words } = call.caller;
  const countryCode = await countryOfCaller(deps, call);
  const { stations, shows, genre } = await findEverythingMeant(
    { snapshot: deps.directory.current(), finder, aliases: deps.aliases },
    {
      text,
      question,
      stations: options.stations ? STATIONS_SHOWN : 0,
      shows: options.shows ? showsShown(call) : 0,
    },
    { countryCode, formats, words },
  );
  return present(deps, call, {
    stations,
    shows,
    topics: options.topics ? await topicsOf(finder, question, shows, formats) : [],
    genre,
    oncePerFamily: true,
  });
}

const countryOfCaller = async (
  { places, directory }: SearchDeps,
  { caller }: Call,
): Promise<string | undefined> => countryOf(await places?.of(caller), directory.current());

const showsShown = ({ caller }: Call): number => caller.partner?.shows_per_group ?? SHOWS_SHOWN;

/** Topics whose own titles match, then the newest of the first shows found. */
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

async function ranked(
  { directory, places }: SearchDeps,
  { caller, params }: Call,
  hits: readonly Hit[],
): Promise<RankedStation[]> {
  const callerPlace = await places?.of(caller);
  const snapshot = directory.current();
  const place = pointOf(callerPlace, snapshot);
  const countryCode = countryOf(callerPlace, snapshot);
  return rankFound(snapshot, hits, {
    place,
    countryCode,
    formats: caller.formats,
    text: searchTextOf(params),
  });
}

async function present(deps: Deps, call: Call, found: Shown): Promise<OpmlDocument> {
  const { caller, params } = call;
  const { partner } = caller;
  const { unplayable } = readSearchOptions(params);
  const all = await ranked(deps, call, found.stations);
  const playable = all.filter(({ isPlayable }) => isPlayable);
  const snapshot = deps.directory.current();
  const most = partner?.stations_per_group ?? STATIONS_SHOWN;
  const { stations, networks } = found.oncePerFamily
    ? foldFamilies(snapshot, playable, { stations: most, networks: MAX_FAMILY_LINKS })
    : { stations: playable.slice(0, most), networks: new Map() };
  const shows = found.shows.slice(0, showsShown(call));
  const isFew = stations.length + shows.length < FEW_RESULTS;
  const showsAll = unplayable === 'always' || (unplayable === 'if few' && isFew);
  return resultsDocument({
    text: requiredText(params),
    snapshot,
    words: caller.words,
    genre: found.genre,
    stations,
    networks,
    onAir: await deps.onAir.of(stations.map(({ station }) => station.id)),
    songOf: (stationId) => deps.playing?.songOf(stationId),
    shows,
    topics: found.topics ?? [],
    unplayable: showsAll ? all.filter(({ isPlayable }) => !isPlayable).slice(0, STATIONS_SHOWN) : [],
  });
}
