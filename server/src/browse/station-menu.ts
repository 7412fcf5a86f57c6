import { affiliatesOfStation } from '../directory/by-affiliate.ts';
import { findStation } from '../directory/by-id.ts';
import { similarRanks } from '../directory/similar.ts';
import type { DirectoryStation } from '../directory/snapshot.ts';
import type { OpmlDocument, Outline } from '../opml/document.ts';
import { groupOutline } from '../opml/outlines.ts';
import type { MessageKey } from '../words/messages.ts';
import { unknownId } from './faults.ts';
import { affiliateLink, genreLink } from './item-links.ts';
import { orNothing } from './nothing.ts';
import type { BrowseRequest, Detail } from './request.ts';
import { linesOf } from './station-list.ts';

interface DetailGroup {
  detail: Detail;
  key: string;
  text: MessageKey;
  list: (request: BrowseRequest, station: DirectoryStation) => Outline[];
}

/** In the order in which they are shown. */
const GROUPS: readonly DetailGroup[] = [
  { detail: 'recommendation', key: 'recommendations', text: 'browse.similarStations', list: similar },
  { detail: 'genre', key: 'genres', text: 'browse.genres', list: genres },
  { detail: 'affiliate', key: 'affiliates', text: 'browse.networks', list: affiliates },
];

/** What a station leads to: stations like it, its genres and its networks, or those of the groups that were asked for. */
export function stationMenu(request: BrowseRequest, id: number): OpmlDocument {
  const station = findStation(request.snapshot, id);
  if (!station) throw unknownId('there is no such station');
  const groups = GROUPS.filter(({ detail }) => request.details.includes(detail))
    .map(({ text, key, list }) => groupOutline(request.words.text(text), key, list(request, station)))
    .filter(({ children = [] }) => children.length > 0);
  return { title: station.name, outlines: orNothing(request, groups) };
}

function similar(request: BrowseRequest, station: DirectoryStation): Outline[] {
  const { snapshot, stations, stationsPerGroup: limit } = request;
  const ranks = similarRanks(snapshot, station, { formats: stations.formats, limit });
  return linesOf(request, ranks, 'byGenre');
}

function genres(request: BrowseRequest, { genreIds }: DirectoryStation): Outline[] {
  const known = genreIds.map((id) => request.snapshot.genreById.get(id));
  return known.filter((genre) => genre !== undefined).map((genre) => genreLink(request, genre));
}

function affiliates(request: BrowseRequest, station: DirectoryStation): Outline[] {
  return affiliatesOfStation(request.snapshot, station).map((affiliate) => affiliateLink(request, affiliate));
}
