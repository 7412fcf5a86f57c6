import type { Pool } from 'pg';
import { lookingAccount } from '../http/acting-member.ts';
import type { Call } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';
import { type ParsedGuideId, parseGuideId } from '../lib/guide-id.ts';
import { noSuchFolder } from '../members/preset-faults.ts';
import type { PresetKey } from '../members/preset-item.ts';
import { removePreset } from '../members/remove-preset.ts';
import { nothingNamed } from './items.ts';
import { DONE, type PresetAction, type PresetDoors } from './needs.ts';
import { addressOf, folderOf, itemIdOf } from './parameters.ts';

/** What is not there is removed already. What is gone from the directory can be removed like anything else. */
export const removeItem: PresetAction = async (call, needs) => {
  const folderId = folderOf(call.params);
  const keys = await readKeys(call, needs);
  const accountId = await lookingAccount(call, needs.doors);
  if (accountId !== undefined) await removeFirst(needs.doors.pool, accountId, folderId, keys);
  else if (folderId !== undefined) throw noSuchFolder();
  return DONE;
};

/** By its own id first; when that is none of the presets, by where an id from elsewhere leads. */
async function removeFirst(
  pool: Pool,
  accountId: number,
  folderId: number | undefined,
  keys: readonly PresetKey[],
): Promise<void> {
  for (const key of keys) if (await removePreset(pool, accountId, folderId, key)) return;
}

async function readKeys({ params }: Call, { aliases }: PresetDoors): Promise<PresetKey[]> {
  const address = addressOf(params);
  const id = itemIdOf(params);
  if (id === undefined) {
    if (address === undefined) throw nothingNamed();
    return [{ kind: 'u', address }];
  }
  const keys = [parseGuideId(id), await aliases.find(id)].flatMap((found) => keyOf(found) ?? []);
  if (keys.length === 0)
    throw new Fault(400, 'request.idInvalid', "Give the preset's own guide_id (s…, p…, u…)");
  return keys;
}

function keyOf(id: ParsedGuideId | undefined): PresetKey | undefined {
  const { letter, number: itemId = 0 } = id ?? {};
  return letter === 's' || letter === 'p' || letter === 'u' ? { kind: letter, itemId } : undefined;
}
