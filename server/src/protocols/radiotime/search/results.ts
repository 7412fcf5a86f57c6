import { stationsIn } from '../../../core/directory/lookup/in-words.ts';
import type {
  DirectoryAffiliate,
  DirectoryGenre,
  Snapshot,
} from '../../../core/directory/snapshot/snapshot.ts';
import type { Words } from '../../../core/i18n/words.ts';
import { type Song, songLine } from '../../../core/now-playing/song.ts';
import type { ShowHit } from '../../../core/search/finder.ts';
import type { RankedStation } from '../../../core/search/rank.ts';
import type { OpmlDocument, Outline } from '../../../formats/opml/document.ts';
import {
  groupOutline,
  linkOutline,
  stationOutline,
  textOutline,
  withOnAir,
} from '../../../formats/opml/outlines.ts';
import { guideId } from '../../../lib/guide-id.ts';
import type { OnAirRow } from '../../../storage/catalog/schedules/on-air.ts';
import type { NewestTopicRow } from '../../../storage/catalog/shows/newest-topics.ts';
import { familyLink, withFamilyLinks } from '../outlines/family-lines.ts';
import { mixedTopicLine, showOutline } from '../outlines/show-outlines.ts';
import { stationLines } from '../outlines/station-lines.ts';

/** The data of a results page. */
export interface Results {
  text: string;
  snapshot: Snapshot;
  words: Words;
  genre: DirectoryGenre | undefined;
  stations: readonly RankedStation[];
  /** By rank: the network of a station that stands for others of it. */
  networks: ReadonlyMap<number, DirectoryAffiliate>;
  /** What the stations among them have on air. */
  onAir: ReadonlyMap<number, OnAirRow>;
  /** A station's current song, if known. */
  songOf: (stationId: number) => Song | undefined;
  shows: readonly ShowHit[];
  topics: readonly NewestTopicRow[];
  unplayable: readonly RankedStation[];
}

/** A flat list, best first; clients look for stations at the top level only. */
export function resultsDocument(results: Results): OpmlDocument {
  const { text, words } = results;
  const outlines = [...genreLines(results), ...foundLines(results), ...groups(results)];
  return {
    title: words.text('search.results', { query: text }),
    outlines: outlines.length > 0 ? outlines : [textOutline(words.text('search.nothing', { query: text }))],
  };
}

function genreLines({ genre, words }: Results): Outline[] {
  if (!genre) return [];
  const id = guideId('g', genre.id);
  const target = { path: '/Browse.ashx', params: [['id', id]] } as const;
  return [linkOutline(words.genreName(genre.slug, genre.name), target, { guideId: id })];
}

/** Without shows in between, the stations are rendered as one block. */
function foundLines(results: Results): Outline[] {
  if (results.shows.length === 0) return linesOf(results, results.stations);
  const stations = results.stations.map((hit) => ({ score: hit.score, lines: linesOf(results, [hit]) }));
  const shows = results.shows.map(({ score, show }) => ({ score, lines: [showOutline(show)] }));
  return [...stations, ...shows].toSorted((a, b) => b.score - a.score).flatMap(({ lines }) => lines);
}

/** With a link to the network right behind a station that stands for others of it. */
function linesOf(results: Results, stations: readonly RankedStation[]): Outline[] {
  const { networks, words } = results;
  if (networks.size === 0) return stationsOf(results, stations);
  return withFamilyLinks(
    stations,
    ({ station }) => networks.get(station.rank),
    (some) => stationsOf(results, some),
    (network) => familyLink(network, words),
  );
}

/** Only stations with a show on air need a new line; the others are cached. */
function stationsOf(results: Results, stations: readonly RankedStation[]): Outline[] {
  const { snapshot, words, onAir, songOf } = results;
  const given = stationsIn(snapshot, words);
  if (!stations.some(({ station: { id } }) => onAir.has(id) || songOf(id)))
    return stationLines(
      given,
      stations.map(({ station }) => station.rank),
      'byGenre',
    );
  return stations.flatMap(({ station: { id, rank } }) => {
    const [show, song] = [onAir.get(id), songOf(id)];
    if (!show && !song) return stationLines(given, [rank], 'byGenre');
    return heardLine(stationOutline(given.factsOf(rank), 'byGenre'), show, song);
  });
}

function heardLine(line: Outline, show: OnAirRow | undefined, song: Song | undefined): Outline {
  const art = song?.artAddress;
  const heard = withOnAir(line, {
    song: song && songLine(song),
    songImage: art === undefined ? undefined : { address: art },
    showId: show?.show_id,
    showTitle: show?.title,
  });
  return { ...heard, currentTrack: heard.currentTrack ?? heard.playing };
}

function groups(results: Results): Outline[] {
  const { topics, unplayable, words } = results;
  const heard = topics.map((topic) => mixedTopicLine(topic, words.language));
  const silent = linesOf(results, unplayable);
  return [
    groupOutline(words.text('search.topics'), 'topics', heard),
    groupOutline(words.text('search.unavailable'), 'unavailable', silent),
  ].filter(({ children }) => children !== undefined && children.length > 0);
}
