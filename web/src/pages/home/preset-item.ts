import { linkTo } from '../../directory/link-to.ts';
import { type Item, splitName } from '../../items/item.ts';
import type { Preset } from '../../session/calls/preset-calls.ts';

/** A preset as a line of a list; a saved address has no page but that of the presets. */
export function presetItem({ id, guideId, kind, name, subtext, url, isGone }: Preset): Item {
  return {
    kind: kind === 'url' ? 'text' : kind,
    key: id,
    guideId,
    logoId: kind === 'url' ? '' : guideId,
    ...(kind === 'station' ? splitName(name) : { name, aside: undefined }),
    subtext: subtext || undefined,
    href: linkTo({ guideId }) ?? '/presets',
    seconds: undefined,
    address: url,
    isUnavailable: isGone === true,
  };
}
