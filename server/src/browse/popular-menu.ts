import { type StationOrder, stationsInOrder } from '../directory/in-order.ts';
import type { StationFilter } from '../directory/sieve.ts';
import type { OpmlDocument } from '../opml/document.ts';
import { orNothing } from './nothing.ts';
import { type BrowseRequest, filterOfPage } from './request.ts';
import { type StationList, stationOutlines } from './station-list.ts';

interface Chart {
  order: StationOrder;
  title?: 'browse.trending';
  wants?: StationFilter['where'];
}

/** Heard whenever somebody tried. */
const RELIABLE = 90;

/** Lists of the whole directory. That the best have no title is how clients know them. */
const CHARTS = {
  popular: { order: 'popularity', title: 'browse.trending' },
  trending: { order: 'clicks', title: 'browse.trending' },
  best: { order: 'votes', wants: ({ reliability }) => reliability >= RELIABLE },
} satisfies Record<string, Chart>;

export type ChartName = keyof typeof CHARTS;

export function chartMenu(request: BrowseRequest, chart: ChartName): OpmlDocument {
  const { order, title, wants }: Chart = CHARTS[chart];
  const { snapshot, stations, words } = request;
  const { where } = stations;
  const both: StationFilter['where'] =
    where && wants ? (station) => where(station) && wants(station) : (where ?? wants);
  const list: StationList = {
    params: [['c', chart]],
    name: '',
    presentation: 'byGenre',
    page: (page) => stationsInOrder(snapshot, order, { ...page, where: both }),
  };
  const outlines = stationOutlines(request, list, filterOfPage(request, {}));
  return { title: title && words.text(title), outlines: orNothing(request, outlines) };
}
