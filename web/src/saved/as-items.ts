import { linkTo } from '../directory/link-to.ts';
import type { Item } from '../items/item.ts';
import type { Preset } from '../session/calls/preset-calls.ts';
import type { PlayedItem, SavedPreset } from './lists.ts';

/** A preset of this browser like one of an account, on the button of its place in the list. */
export const asPreset = ({ guideId, name, subtext }: SavedPreset, at: number): Preset => ({
  id: guideId,
  guideId,
  kind: guideId.startsWith('s') ? 'station' : 'show',
  name,
  subtext,
  image: `/logos/${guideId}q.png`,
  number: at + 1,
});

export const playedItem = ({ kind, guideId, name, subtext }: PlayedItem): Item => ({
  kind,
  key: guideId,
  guideId,
  name,
  aside: undefined,
  subtext: subtext || undefined,
  href: linkTo({ guideId }),
  seconds: undefined,
  isUnavailable: false,
});
