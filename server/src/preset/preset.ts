import type { Action, Endpoint } from '../http/endpoint.ts';
import { addItem } from './add.ts';
import { addNamedFolder, removeNamedFolder, renameNamedFolder, showFolders } from './folders.ts';
import { moveItem } from './move.ts';
import { type PresetNeeds, withDoors } from './needs.ts';
import { removeItem } from './remove.ts';

export type { PresetNeeds };

/** Saving stations, shows and addresses, and the folders they are in. Some clients know the page by another name. */
export function presetEndpoints(needs: PresetNeeds): Endpoint[] {
  const actions = new Map<string, Action>([
    ['add', withDoors(needs, addItem)],
    ['remove', withDoors(needs, removeItem)],
    ['addfolder', withDoors(needs, addNamedFolder)],
    ['removefolder', withDoors(needs, removeNamedFolder)],
    ['renamefolder', withDoors(needs, renameNamedFolder)],
    ['listfolders', withDoors(needs, showFolders)],
  ]);
  const more: [string, Action][] = [['move', withDoors(needs, moveItem)]];
  return [
    { paths: ['/Preset.ashx'], actions },
    { paths: ['/favorites.ashx'], actions: new Map([...actions, ...more]) },
  ];
}
