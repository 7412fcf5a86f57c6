import { askSite } from './api.ts';

/** A preset as a button of a radio. */
export interface Preset {
  id: string;
  guideId: string;
  kind: 'station' | 'show' | 'url';
  name: string;
  subtext: string;
  image: string;
  /** The button it is on. */
  number: number;
  /** For an address that the listener saved. */
  url?: string;
  /** No longer in the directory. */
  isGone?: true;
}

export interface Folder {
  id: string;
  name: string;
  isDefault: boolean;
  presets: Preset[];
}

/** A new preset: an item of the directory, or an address with a name; after the others, or at a number. */
export type NewPreset = ({ guideId: string } | { url: string }) & {
  name?: string;
  folderId?: string;
  number?: number;
};

/** Every change of a preset returns all folders. */
export interface Folders {
  folders: Folder[];
}

const at = (id: string): string => encodeURIComponent(id);

export const listFolders = async (signal?: AbortSignal): Promise<Folder[]> =>
  (await askSite<Folders>('presets', { signal })).folders;

export const addPreset = (body: NewPreset): Promise<Folders> => askSite('presets', { method: 'POST', body });

/** What was saved in this browser; the account's own stay before it, and nothing is saved twice. */
export const mergePresets = (
  guideIds: readonly string[],
): Promise<Folders & { added: number; left: string[] }> =>
  askSite('presets/merge', { method: 'POST', body: { guideIds } });

export const removePreset = (id: string): Promise<Folders> =>
  askSite(`presets/${at(id)}`, { method: 'DELETE' });

/** To the end of another folder. */
export const movePreset = (id: string, folderId: string): Promise<Folders> =>
  askSite(`presets/${at(id)}`, { method: 'PATCH', body: { folderId } });

export const orderPresets = (folderId: string, ids: readonly string[]): Promise<Folders> =>
  askSite('presets/order', { method: 'PUT', body: { folderId, ids } });

export const addFolder = (name: string): Promise<{ id: string }> =>
  askSite('folders', { method: 'POST', body: { name } });

export const renameFolder = (id: string, name: string): Promise<void> =>
  askSite(`folders/${at(id)}`, { method: 'PATCH', body: { name } });

export const removeFolder = (id: string): Promise<void> => askSite(`folders/${at(id)}`, { method: 'DELETE' });

export type ExportFormat = 'opml' | 'm3u';

export const presetExport = (format: ExportFormat): string => `/listen/api/presets/export?format=${format}`;
