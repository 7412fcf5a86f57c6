import { guideId } from '../../lib/guide-id.ts';
import { ALL_FORMATS } from '../../lib/stream-format.ts';
import type { Aliases } from '../directory/lookup/by-any-id.ts';
import type { Snapshot } from '../directory/snapshot/snapshot.ts';
import { itemOfId } from '../search/exactly-meant.ts';
import type { Finder } from '../search/finder.ts';
import { PLENTY } from '../search/queries.ts';
import { questionWords } from '../search/question.ts';
import { rankFound } from '../search/rank.ts';
import { type Folder, type FolderRequest, ROOT_ID, stationItem } from './folder.ts';

const MAX_SHOWS = 50;

/** What a search finds, as a folder: stations first, the best at the front, then shows. */
export async function searchFolder(
  { snapshot, finder, aliases }: { snapshot: Snapshot; finder: Finder; aliases: Pick<Aliases, 'find'> },
  text: string,
  { offset, limit, words, formats = ALL_FORMATS }: FolderRequest,
): Promise<Folder> {
  const question = { words: questionWords(text), fields: [] };
  const [meant, found] = await Promise.all([
    itemOfId(text, snapshot, finder, aliases),
    finder.find({ ...question, kinds: 'sp', enough: PLENTY, shows: MAX_SHOWS }),
  ]);
  const hits = [...meant.stations, ...found.stations];
  const ranked = rankFound(snapshot, hits, { place: undefined, formats }).filter(
    ({ isPlayable }) => isPlayable,
  );
  const stations = [...new Set(ranked.map(({ station }) => station))].map(stationItem);
  const shows = new Map([...meant.shows, ...found.shows].map(({ show }) => [show.id, show.title]));
  const items = [
    ...stations,
    ...Array.from(shows, ([id, title]) => ({ kind: 'show', id: guideId('p', id), title }) as const),
  ];
  return {
    id: 'search',
    title: `${words.text('browse.search')}: ${text}`,
    parentId: ROOT_ID,
    total: items.length,
    items: items.slice(offset, offset + limit),
  };
}
