import { actingAccount } from '../http/acting-member.ts';
import type { Call } from '../http/endpoint.ts';
import { type ParsedGuideId, parseGuideId } from '../lib/guide-id.ts';
import { addPreset } from '../members/add-preset.ts';
import type { PresetItem } from '../members/preset-item.ts';
import { setPreset } from '../members/set-preset.ts';
import { labelOf } from '../opml/saved-texts.ts';
import { owner } from './folders.ts';
import { getCatalogueItem, getSavedItem, nothingNamed, unknownItem } from './items.ts';
import { DONE, type PresetAction, type PresetDoors } from './needs.ts';
import { addressOf, folderOf, itemIdOf, presetNumberOf } from './parameters.ts';

/** Everything that can be wrong with a call is found before an account is made for a device that has none. */
export const addItem: PresetAction = async (call, needs) => {
  const folderId = folderOf(call.params);
  const number = presetNumberOf(call.params);
  const wanted = await readItem(call, needs);
  const accountId = await accountFor(call, needs, { folderId, isSaved: 'letter' in wanted });
  const item = 'letter' in wanted ? await getSavedItem(accountId, wanted, needs) : wanted;
  const { pool } = needs.doors;
  if (number === undefined) await addPreset(pool, accountId, folderId, item);
  else await setPreset(pool, accountId, { folderId, number }, item);
  return DONE;
};

/** What to save; for an address that was saved before only its id, since who may use it is not known yet. */
async function readItem({ params }: Call, needs: PresetDoors): Promise<PresetItem | ParsedGuideId> {
  const address = addressOf(params);
  const id = itemIdOf(params);
  if (id !== undefined) {
    const own = parseGuideId(id);
    return own?.letter === 'u' ? own : getCatalogueItem(id, needs);
  }
  if (address === undefined) throw nothingNamed();
  return { kind: 'u', address, label: labelOf(params.text('name') ?? '') || labelOf(address) };
}

/** Only what needs nothing of the account's makes one for a device that has none. */
function accountFor(
  call: Call,
  needs: PresetDoors,
  { folderId, isSaved }: { folderId: number | undefined; isSaved: boolean },
): Promise<number> {
  if (folderId !== undefined) return owner(call, needs);
  return isSaved ? owner(call, needs, unknownItem) : actingAccount(call, needs.doors);
}
