import type { Folder, Preset } from '../../session/calls/preset-calls.ts';

const inFolder = (folders: Folder[], id: string, change: (presets: Preset[]) => Preset[]): Folder[] =>
  folders.map((folder) => (folder.id === id ? { ...folder, presets: change(folder.presets) } : folder));

/** The folders with one of them reordered. The button numbers stay, gaps included; the presets on them change. */
export const withOrder = (folders: Folder[], id: string, ids: readonly string[]): Folder[] =>
  inFolder(folders, id, (presets) => {
    const byId = new Map(presets.map((preset) => [preset.id, preset]));
    const known = ids.flatMap((each) => byId.get(each) ?? []);
    return known.map((preset, at) => ({ ...preset, number: presets[at]?.number ?? at + 1 }));
  });

export const withoutPreset = (folders: Folder[], id: string, presetId: string): Folder[] =>
  inFolder(folders, id, (presets) => presets.filter((preset) => preset.id !== presetId));

/** The one whose tab is chosen; if it is gone, the default one. */
export const chosenFolder = (folders: readonly Folder[], id: string | undefined): Folder | undefined =>
  folders.find((folder) => folder.id === id) ?? folders.find(({ isDefault }) => isDefault) ?? folders[0];
