import { guideId } from '../../lib/guide-id.ts';
import { linkTo, type Outline } from './document.ts';
import { logoOf } from './outlines.ts';

/**
 * An item in the presets menu, and nowhere else: clients reorder a list by these numbers and drop items without one.
 */
export const asPreset = (outline: Outline, presetNumber: number): Outline => ({
  ...outline,
  presetNumber,
  isPreset: true,
});

interface FolderFacts {
  id: number;
  name: string;
}

/**
 * A link to a folder. It has no preset_id: clients take a link without one for a folder. One client cuts `title` and
 * `guide_id` out of it, each up to the next `&`, another keeps `id` alone.
 */
export function folderLink({ id, name }: FolderFacts): Outline {
  const folderId = guideId('f', id);
  return {
    type: 'link',
    text: name,
    target: linkTo(
      '/Browse.ashx',
      ['c', 'presets'],
      ['title', name],
      ['guide_id', folderId],
      ['id', folderId],
    ),
    guideId: folderId,
  };
}

/** A folder with its items in it, for devices that request all folders in one call. */
export const folderContainer = (
  folder: FolderFacts & { isDefault: boolean },
  items: readonly Outline[],
): Outline => ({
  type: 'container',
  text: folder.name,
  guideId: guideId('f', folder.id),
  isDefault: folder.isDefault,
  children: items,
});

/** An address that a listener saved. */
export const urlPresetOutline = (
  preset: { id: number; name: string; address: string },
  presetNumber: number,
): Outline =>
  asPreset(
    {
      type: 'link',
      text: preset.name,
      target: { address: preset.address },
      guideId: guideId('u', preset.id),
      item: 'url',
      image: logoOf('u0'),
      presetId: guideId('u', preset.id),
    },
    presetNumber,
  );

/** The attributes by which an exported list of presets is recognised on import. */
export const PRESET_ATTRIBUTES = { id: 'guide_id', number: 'preset_number', address: 'value' } as const;

/** A saved address in an export: its link ends with a question mark for radios, `value` is the saved address. */
export const exportedAddress = (
  preset: { id: number; name: string; address: string },
  presetNumber: number,
): Outline => ({ ...urlPresetOutline(preset, presetNumber), value: preset.address });

/** Only the folder's name, for calls that manage folders. */
export const folderLine = (folder: FolderFacts): Outline => ({
  type: 'text',
  text: folder.name,
  guideId: guideId('f', folder.id),
});
