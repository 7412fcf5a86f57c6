import type { Answer } from '../../answer.ts';
import type { Section } from '../../check.ts';
import { expect } from '../../expect.ts';
import type { Kit } from '../../kit.ts';
import { newSerial } from '../../members.ts';
import { attribute } from '../../opml.ts';
import { expectFault } from '../../saver.ts';
import { isPreset } from './is-preset.ts';
import { presetFolders } from './preset-folders.ts';

/** A call of Preset that must be refused whoever makes it. */
async function expectRefused(kit: Kit, query: string): Promise<void> {
  kit.members.mayWrite();
  expectFault(await kit.fresh(`/Preset.ashx?${query}`));
}

function expectOnlyStatus({ reply, document }: Answer): void {
  expect(reply, document.outlines.length === 0, 'a status and no outlines', String(document.outlines.length));
}

const ADDRESS = 'http://stream.example.net/kit?x=1&y=2';
/** Of Windows Media, Real and Flash, as a playlist may hold them. */
const OLD_ADDRESSES = ['mms', 'rtsp', 'rtmp'].map((scheme) => `${scheme}://stream.example.net/kit`);

/** Specification 4.10: presets and their folders. */
export const preset: Section = {
  id: '4.10',
  title: 'Preset',
  checks: [
    {
      id: '4.10-c',
      statement: 'c names an action; another is a fault',
      run: (kit) => expectRefused(kit, `c=no-such&serial=${newSerial()}`),
    },
    {
      id: '4.10-partner',
      statement: 'partnerId is required',
      run: async (kit) => {
        kit.members.mayWrite();
        const params = { c: 'listFolders', serial: newSerial() };
        expectFault(await kit.post('/Preset.ashx', params, { isAnonymous: true }));
      },
    },
    {
      id: '4.10-identity',
      statement: 'username or serial is required',
      run: (kit) => expectRefused(kit, 'c=listFolders'),
    },
    {
      id: '4.10-password',
      statement: 'a username needs its password',
      run: async (kit) => {
        const { username } = await kit.members.account();
        expectFault(await kit.post('/Preset.ashx', { c: 'listFolders', username }));
        expectFault(await kit.post('/Preset.ashx', { c: 'listFolders', username, password: 'wrong+1' }));
      },
    },
    {
      id: '4.10-username',
      statement: 'with username and password the account is saved in',
      run: async (kit) => {
        const id = await kit.subjects.stationId();
        const member = await kit.members.member();
        await member.done('add', { id });
        await member.expectSaved([id]);
        await member.done('remove', { id });
      },
    },
    {
      id: '4.10-serial',
      statement: 'a serial alone saves in an anonymous account, and what is saved is seen at once',
      run: async (kit) => {
        const device = kit.members.device();
        const id = await kit.subjects.stationId();
        await device.done('add', { id });
        await device.expectSaved([id]);
        await kit.members.device().expectSaved([]);
        await device.done('remove', { id });
      },
    },
    {
      id: '4.10-show',
      statement: 'a show can be saved',
      run: async (kit) => {
        const device = kit.members.device();
        const id = await kit.subjects.showId();
        await device.done('add', { id });
        await device.expectSaved([id]);
        await device.done('remove', { id });
      },
    },
    {
      id: '4.10-item-required',
      statement: 'add and remove need id or url',
      run: async (kit) => {
        await kit.members.device().refused('add');
        await kit.members.device().refused('remove');
      },
    },
    {
      id: '4.10-number',
      statement: 'presetNumber is the position to store at',
      run: async (kit) => {
        const device = kit.members.device();
        const id = await kit.subjects.stationId();
        await device.done('add', { id, presetNumber: '7' });
        const [saved] = await device.expectSaved([id]);
        const { reply } = await device.presets();
        const came = saved ? attribute(saved, 'preset_number') : '';
        expect(reply, came === '7', 'preset_number="7"', came);
        await device.done('remove', { id });
      },
    },
    {
      id: '4.10-url',
      statement: 'an address of any scheme can be saved, and is removed by its guide_id, or by the address',
      run: async (kit) => {
        const device = kit.members.device();
        await device.done('add', { url: ADDRESS, name: 'Mine' });
        const { reply, document } = await device.presets();
        const id = document.outlines[0] ? attribute(document.outlines[0], 'guide_id') : '';
        expect(reply, id !== '', 'an outline with a guide_id', 'none');
        await device.done('remove', { id });
        await device.expectSaved([]);
        for (const url of [ADDRESS, ...OLD_ADDRESSES]) {
          await device.done('add', { url });
          const { reply: read, document: saved } = await device.presets();
          expect(read, saved.outlines.length === 1, `${url} among the presets`, read.body.toString());
          await device.done('remove', { url });
          await device.expectSaved([]);
        }
      },
    },
    {
      id: '4.10-url-id',
      statement: 'an address that was saved can be added and removed by its ID, as stations and shows are',
      run: async (kit) => {
        const device = kit.members.device();
        await device.done('add', { url: ADDRESS, name: 'Mine' });
        const { document } = await device.presets();
        const id = document.outlines[0] ? attribute(document.outlines[0], 'guide_id') : '';
        const folderId = await device.addFolder('Kitchen');
        await device.done('add', { id, folderId });
        const { reply, document: kitchen } = await device.presets(folderId);
        const [saved] = kitchen.outlines;
        const came = kitchen.outlines.map((outline) => attribute(outline, 'URL'));
        expect(reply, saved !== undefined && came.length === 1, 'the address in the folder', came.join(' '));
        await device.done('remove', { id: attribute(saved, 'guide_id'), folderId });
        await device.expectSaved([], folderId);
        await device.done('removeFolder', { folderId });
        await device.done('remove', { id });
      },
    },
    {
      id: '4.10-remove',
      statement: 'remove takes a preset away, by the guide_id that browsing shows',
      run: async (kit) => {
        const device = kit.members.device();
        const ids = [await kit.subjects.stationId(), await kit.subjects.showId()];
        for (const id of ids) await device.done('add', { id });
        for (const saved of await device.expectSaved(ids))
          await device.done('remove', { id: attribute(saved, 'guide_id') });
        await device.expectSaved([]);
      },
    },
    {
      id: '4.10-status-only',
      statement: 'add, remove, renameFolder and removeFolder return only a status',
      run: async (kit) => {
        const device = kit.members.device();
        const id = await kit.subjects.stationId();
        const folderId = await device.addFolder('Kitchen');
        expectOnlyStatus(await device.done('add', { id, folderId }));
        expectOnlyStatus(await device.done('remove', { id, folderId }));
        expectOnlyStatus(await device.done('renameFolder', { folderId, name: 'Bath' }));
        expectOnlyStatus(await device.done('removeFolder', { folderId }));
      },
    },
    isPreset,
    ...presetFolders,
  ],
};
