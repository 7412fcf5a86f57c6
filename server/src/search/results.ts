import type { OnAirRow } from '../catalog/on-air.ts';
import type { NewestTopicRow } from '../catalog/newest-topics.ts';
import { stationsIn } from '../directory/in-words.ts';
import type { DirectoryGenre, Snapshot } from '../directory/snapshot.ts';
import { guideId } from '../lib/guide-id.ts';
import type { OpmlDocument, Outline } from '../opml/document.ts';
import { groupOutline, linkOutline, textOutline, withOnAir, stationOutline } from '../opml/outlines.ts';
import { showOutline } from '../opml/show-outlines.ts';
import { stationLines } from '../opml/station-lines.ts';
import { mixedTopicLine } from '../opml/topic-line.ts';
import { type Song, songLine } from '../playing/song.ts';
import type { Words } from '../words/words.ts';
import type { ShowHit } from './finder.ts';
import type { RankedStation } from './rank.ts';

/** Everything that an answer is made of. */
export interface Results {
  text: string;
  snapshot: Snapshot;
  words: Words;
  genre: DirectoryGenre | undefined;
  stations: readonly RankedStation[];
  /** What stations among them have on air. */
  onAir: ReadonlyMap<number, OnAirRow>;
  /** The song that a station plays, where that is known. */
  songOf: (stationId: number) => Song | undefined;
  shows: readonly ShowHit[];
  topics: readonly NewestTopicRow[];
  unplayable: readonly RankedStation[];
}

/** A flat list, the best first; clients look for stations at the top level only. */
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

/** Where there are no shows between them, the stations are one run of lines. */
function foundLines(results: Results): Outline[] {
  if (results.shows.length === 0) return linesOf(results, results.stations);
  const stations = results.stations.map((hit) => ({ score: hit.score, lines: linesOf(results, [hit]) }));
  const shows = results.shows.map(({ score, show }) => ({ score, lines: [showOutline(show)] }));
  return [...stations, ...shows].toSorted((a, b) => b.score - a.score).flatMap(({ lines }) => lines);
}

/** Only what is on air now makes a line of its own; all others are kept as they are. */
function linesOf(results: Results, stations: readonly RankedStation[]): Outline[] {
  const { snapshot, words, onAir, songOf } = results;
  const told = stationsIn(snapshot, words);
  if (!stations.some(({ station: { id } }) => onAir.has(id) || songOf(id)))
    return stationLines(
      told,
      stations.map(({ station }) => station.rank),
      'byGenre',
    );
  return stations.flatMap(({ station: { id, rank } }) => {
    const [show, song] = [onAir.get(id), songOf(id)];
    if (!show && !song) return stationLines(told, [rank], 'byGenre');
    return heardLine(stationOutline(told.factsOf(rank), 'byGenre'), show, song);
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
