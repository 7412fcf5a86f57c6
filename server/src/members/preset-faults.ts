import { Fault } from '../lib/fault.ts';

/** What one account may keep; the tables refuse more. */
export const MOST_PRESETS = 500;
export const MOST_FOLDERS = 50;

/** One text for a folder of somebody else's and for one that never was: whether it exists is its owner's business. */
export const noSuchFolder = (): Fault =>
  new Fault(
    400,
    'request.folderInvalid',
    "The account has no such folder; c=listFolders gives the folderId of each, such as f123. Without 'folderId' the default folder is meant",
  );

export const tooManyPresets = (): Fault =>
  new Fault(400, 'preset.limit', `An account holds ${MOST_PRESETS} presets; remove one first`);

export const tooManyFolders = (): Fault =>
  new Fault(400, 'preset.limit', `An account holds ${MOST_FOLDERS} folders; remove one first`);
