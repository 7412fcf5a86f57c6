import { directoryIn } from '../../directory/client.ts';
import type { Language } from '../../i18n/languages.ts';
import { heardOf } from '../../items/item.ts';
import { sectionsOf } from '../../items/lists/sections.ts';
import type { PlayerItem } from '../engine/state.ts';

/** Stations that failed since this page was opened: a search that leads from one to another must not go in a circle. */
const failed = new Set<string>();
const DEADLINE_MS = 10_000;

/** The directory's first station like this one; undefined where all that it knows have failed. */
export async function findSimilar(
  { guideId }: PlayerItem,
  language: Language,
): Promise<PlayerItem | undefined> {
  failed.add(guideId);
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const menu = await directoryIn(language).browse.byId(guideId, ['recommendation'], { signal });
  const similar = sectionsOf(menu).find(({ key }) => key === 'recommendations');
  const fresh = similar?.items.find((item) => !item.isUnavailable && !failed.has(item.guideId ?? ''));
  return fresh && heardOf(fresh);
}
