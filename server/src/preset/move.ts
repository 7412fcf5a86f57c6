import { Fault } from '../lib/fault.ts';
import { numberOf } from '../lib/guide-id.ts';
import { movePreset } from '../members/move-preset.ts';
import { owner } from './folders.ts';
import { DONE, type PresetAction } from './needs.ts';
import { requiredFolderOf } from './parameters.ts';

/** A preset by its own number: for a saved address the one in its guide ID. */
const parseFavoriteId = (text: string): number | undefined =>
  numberOf('u', /^\d/.test(text) ? `u${text}` : text);

export const moveItem: PresetAction = async (call, needs) => {
  const { params } = call;
  const folderId = requiredFolderOf(params);
  const id = params.required('favoriteId', parseFavoriteId, 'request.idInvalid');
  if (await movePreset(needs.doors.pool, await owner(call, needs), id, folderId)) return DONE;
  throw new Fault(400, 'request.idInvalid', 'The account has no such preset');
};
