import { showObject, topicObject } from '../opml/describe-show-outlines.ts';
import { stationObject } from '../opml/describe-station-outline.ts';
import type { Outline } from '../opml/document.ts';
import { showDetails, stationDetails, topicDetails } from './details.ts';
import type { Item } from './item.ts';
import type { DescribeRequest } from './request.ts';

/** The item itself, with all its fields. */
export async function itemObject(request: DescribeRequest, item: Item): Promise<Outline> {
  if (item.kind === 'topic') return topicObject(topicDetails(item.topic));
  if (item.kind === 'show') return showObject(showDetails(request, item.show));
  const { station } = item;
  const schedule = await request.catalogue.listOnAir(station.id);
  const { song } = request.songOf(station.id);
  const onAir = { hasSchedule: schedule.length > 0, song };
  return stationObject(stationDetails(request, station, onAir));
}
