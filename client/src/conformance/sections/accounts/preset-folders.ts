import type { Check } from '../../check.ts';
import { expect } from '../../expect.ts';
import { expectEvery } from '../../expectations.ts';
import { attribute } from '../../opml.ts';

/** Specification 4.10: what concerns folders. */
export const presetFolders: readonly Check[] = [
  {
    id: '4.10-add-folder',
    statement: 'addFolder returns an outline with the guide ID of the folder',
    run: async (kit) => {
      const device = kit.members.device();
      await device.done('removeFolder', { folderId: await device.addFolder('Kitchen') });
    },
  },
  {
    id: '4.10-list-folders',
    statement: 'listFolders returns text outlines, each with the guide ID of a folder',
    run: async (kit) => {
      const device = kit.members.device();
      const folderId = await device.addFolder('Kitchen');
      const answer = await device.done('listFolders');
      const { outlines } = answer.document;
      const isFolder = /^f\d+$/;
      expectEvery(
        answer,
        outlines,
        'type="text" and a guide_id f…',
        (outline) => attribute(outline, 'type') === 'text' && isFolder.test(attribute(outline, 'guide_id')),
      );
      const ids = outlines.map((outline) => attribute(outline, 'guide_id'));
      expect(answer.reply, ids.includes(folderId), `${folderId} among them`, ids.join(', '));
      await device.done('removeFolder', { folderId });
    },
  },
  {
    id: '4.10-folder',
    statement: 'folderId is the folder to act in, otherwise it is the default one',
    run: async (kit) => {
      const device = kit.members.device();
      const id = await kit.subjects.stationId();
      const folderId = await device.addFolder('Kitchen');
      await device.done('add', { id, folderId });
      await device.expectSaved([id], folderId);
      await device.done('remove', { id });
      await device.expectSaved([id], folderId);
      const showId = await kit.subjects.showId();
      await device.done('add', { id: showId });
      await device.expectSaved([id], folderId);
      const { reply, document } = await device.done('listFolders');
      const other = document.outlines.map((o) => attribute(o, 'guide_id')).find((f) => f !== folderId);
      expect(reply, other !== undefined, 'a default folder', 'none');
      await device.expectSaved([showId], other);
      await device.done('remove', { id, folderId });
      await device.expectSaved([], folderId);
      await device.done('removeFolder', { folderId });
    },
  },
  {
    id: '4.10-folder-required',
    statement: 'removeFolder and renameFolder need folderId',
    run: async (kit) => {
      await kit.members.device().refused('removeFolder');
      await kit.members.device().refused('renameFolder', { name: 'Bath' });
    },
  },
  {
    id: '4.10-folder-own',
    statement: 'the folder of another is refused',
    run: async (kit) => {
      const device = kit.members.device();
      const folderId = await device.addFolder('Kitchen');
      const id = await kit.subjects.stationId();
      await kit.members.device().refused('add', { id, folderId });
      await device.expectSaved([], folderId);
      await device.done('removeFolder', { folderId });
    },
  },
  {
    id: '4.10-name-required',
    statement: 'addFolder and renameFolder need a name',
    run: async (kit) => {
      const device = kit.members.device();
      await device.refused('addFolder');
      const folderId = await device.addFolder('Kitchen');
      await device.refused('renameFolder', { folderId });
      await device.done('removeFolder', { folderId });
    },
  },
  {
    id: '4.10-rename-folder',
    statement: 'renameFolder gives a folder another name',
    run: async (kit) => {
      const device = kit.members.device();
      const folderId = await device.addFolder('Kitchen');
      await device.done('renameFolder', { folderId, name: 'Bath' });
      const { reply, document } = await device.done('listFolders');
      const names = document.outlines.map((outline) => attribute(outline, 'text'));
      expect(
        reply,
        names.includes('Bath') && !names.includes('Kitchen'),
        'Bath, no Kitchen',
        names.join(', '),
      );
      await device.done('removeFolder', { folderId });
    },
  },
  {
    id: '4.10-remove-folder',
    statement: 'removeFolder takes a folder away',
    run: async (kit) => {
      const device = kit.members.device();
      const folderId = await device.addFolder('Kitchen');
      await device.done('removeFolder', { folderId });
      const { reply, document } = await device.done('listFolders');
      const ids = document.outlines.map((outline) => attribute(outline, 'guide_id'));
      expect(reply, !ids.includes(folderId), `no ${folderId}`, ids.join(', '));
    },
  },
];
