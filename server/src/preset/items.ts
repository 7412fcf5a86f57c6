import { findByAnyId } from '../directory/by-any-id.ts';
import { findKeepable } from '../directory/keepable.ts';
import { Fault } from '../lib/fault.ts';
import type { ParsedGuideId } from '../lib/guide-id.ts';
import type { PresetItem } from '../members/preset-item.ts';
import { findSavedAddress } from '../members/presets.ts';
import { labelOf } from '../opml/saved-texts.ts';
import type { PresetDoors } from './needs.ts';

export const nothingNamed = (): Fault =>
  new Fault(400, 'request.invalid', "Say what: give the 'id' of a station or show, or a 'url'");

/** What can be saved for everybody: a station or show that is here, under its own id or one from elsewhere. */
export async function getCatalogueItem(text: string, needs: PresetDoors): Promise<PresetItem> {
  const found = await findByAnyId(text, needs.aliases, (id) => findKeepable(id, needs));
  if (!found) throw unknownItem();
  return { kind: found.kind, itemId: found.itemId, label: labelOf(found.name) };
}

export async function getSavedItem(
  accountId: number,
  { number }: ParsedGuideId,
  { db }: PresetDoors,
): Promise<PresetItem> {
  const saved = await findSavedAddress(db, accountId, number);
  if (!saved) throw unknownItem();
  return { kind: 'u', address: saved.address, label: saved.label ?? saved.address.slice(0, 200) };
}

export const unknownItem = (): Fault =>
  new Fault(
    400,
    'request.idInvalid',
    'There is no such station (s…) or show (p…) here, and no such address (u…) of this account',
  );
