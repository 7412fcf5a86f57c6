import type { ListedTopicRow } from '../catalog/topics.ts';
import { stationIn } from '../directory/in-words.ts';
import type { DirectoryGenre, DirectoryStation, Snapshot } from '../directory/snapshot.ts';
import { guideId } from '../lib/guide-id.ts';
import type { OpmlDocument, Outline } from '../opml/document.ts';
import { groupOutline, linkOutline, stationLine, stationOutline, textOutline } from '../opml/outlines.ts';
import { showOutline } from '../opml/show-outlines.ts';
import { topicLine } from '../opml/topic-line.ts';
import { DEFAULT_LANGUAGE, type Words } from '../words/words.ts';
import type { ShowHit } from './finder.ts';
import type { RankedStation } from './rank.ts';

/** Everything that an answer is made of. */
export interface Results {
  text: string;
  snapshot: Snapshot;
  words: Words;
  genre: DirectoryGenre | undefined;
  stations: readonly RankedStation[];
  shows: readonly ShowHit[];
  topics: readonly ListedTopicRow[];
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

function foundLines(results: Results): Outline[] {
  const stations = results.stations.map(({ station, score }) => ({
    score,
    line: stationLineOf(results, station),
  }));
  const shows = results.shows.map((hit) => ({ score: hit.score, line: showOutline(hit.show) }));
  const all = shows.length === 0 ? stations : [...stations, ...shows].toSorted((a, b) => b.score - a.score);
  return all.map(({ line }) => line);
}

const stationLineOf = ({ snapshot, words }: Results, station: DirectoryStation): Outline =>
  words.language === DEFAULT_LANGUAGE
    ? stationLine(station, 'byGenre')
    : stationOutline(stationIn(snapshot, station, words), 'byGenre');

function groups(results: Results): Outline[] {
  const { topics, unplayable, words } = results;
  const heard = topics.map((topic) => topicLine(topic, words.language));
  const silent = unplayable.map(({ station }) => stationLineOf(results, station));
  return [
    groupOutline(words.text('search.topics'), 'topics', heard),
    groupOutline(words.text('search.unavailable'), 'unavailable', silent),
  ].filter(({ children }) => children !== undefined && children.length > 0);
}
