import { findAffiliate } from '../directory/by-affiliate.ts';
import { guideId } from '../lib/guide-id.ts';
import type { OpmlDocument } from '../opml/document.ts';
import { unknownId } from './faults.ts';
import { orNothing } from './nothing.ts';
import { type PivotedList, pivotMenu } from './pivots.ts';
import type { BrowseRequest } from './request.ts';
import { listOf, stationGroup, stationPage } from './station-list.ts';

/** The stations of a network. */
export function affiliateMenu(request: BrowseRequest, id: number): OpmlDocument {
  const affiliate = findAffiliate(request.snapshot, id);
  if (!affiliate) throw unknownId('there is no such network');
  const { name } = affiliate;
  const group = { affiliateId: id };
  const params = [['id', guideId('a', id)]] as const;
  const list: PivotedList = { ...listOf(request, group, { params, name, presentation: 'byGenre' }), group };
  const pivoted = pivotMenu(request, list);
  if (pivoted) return pivoted;
  if (request.filter.kind === 's' || request.offset > 0) return stationPage(request, list);
  return { title: name, outlines: orNothing(request, stationGroup(request, list)) };
}
