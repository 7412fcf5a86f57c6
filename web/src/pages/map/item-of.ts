import type { Item } from '../../items/item.ts';
import { type Names, placeOf } from './load-map.ts';
import type { Points } from './points.ts';

/** A station of the map, as an item of the site's other lists. */
export function itemOf({ ids }: Points, names: Names, station: number): Item {
  const guideId = `s${ids[station]}`;
  return {
    kind: 'station',
    key: guideId,
    guideId,
    logoId: guideId,
    name: names.name[station] ?? guideId,
    aside: placeOf(names, station),
    subtext: undefined,
    href: `/station/${guideId}`,
    seconds: undefined,
    isUnavailable: false,
  };
}
