import { guideId } from '../../lib/guide-id.ts';
import { ALL_FORMATS } from '../../lib/stream-format.ts';
import { type CallerPlaces, countryOf, pointOf } from '../places/caller-places.ts';
import { findEverythingMeant, type SearchSources } from '../search/everything-meant.ts';
import { stationsAt } from '../search/exactly-meant.ts';
import { looksLikeAddress, PLENTY } from '../search/queries.ts';
import { questionWords } from '../search/question.ts';
import { rankFound } from '../search/rank.ts';
import { type Folder, type FolderRequest, ROOT_ID, stationItem } from './folder.ts';

const MAX_SHOWS = 50;

export interface SearchFolderSources extends SearchSources {
  /** Stations near the caller come before their namesakes. */
  places?: Pick<CallerPlaces, 'of'> | undefined;
}

export interface SearchFolderRequest extends FolderRequest {
  /** Where the call comes from. */
  callerAddress: string;
}

/** What a search finds, as a folder: stations first, the best at the front, then shows. */
export async function searchFolder(
  sources: SearchFolderSources,
  text: string,
  { offset, limit, words, formats = ALL_FORMATS, callerAddress }: SearchFolderRequest,
): Promise<Folder> {
  const { snapshot, finder } = sources;
  const place = await sources.places?.of({ latlon: undefined, username: undefined, geoIp: callerAddress });
  const countryCode = countryOf(place, snapshot);
  const question = { words: questionWords(text), fields: [] };
  const asked = { text, question, stations: PLENTY, shows: MAX_SHOWS };
  const atAddress = looksLikeAddress(text) ? await stationsAt(text, finder) : undefined;
  const found = atAddress?.stations.length
    ? atAddress
    : await findEverythingMeant(sources, asked, { countryCode, formats, words });
  const listener = { place: pointOf(place, snapshot), countryCode, formats, text };
  const ranked = rankFound(snapshot, found.stations, listener).filter(({ isPlayable }) => isPlayable);
  const items = [
    ...ranked.map(({ station }) => stationItem(station)),
    ...found.shows.map(({ show: { id, title } }) => ({ kind: 'show', id: guideId('p', id), title }) as const),
  ];
  return {
    id: 'search',
    title: `${words.text('browse.search')}: ${text}`,
    parentId: ROOT_ID,
    total: items.length,
    items: items.slice(offset, offset + limit),
  };
}
