import type { Section } from '../../check.ts';
import { expect, deps } from '../../expect.ts';
import { pathOf, type Answer } from '../../answer.ts';
import type { Kit } from '../../kit.ts';
import { expectSome } from '../../expectations.ts';
import { attribute, describe, everyWireOutline, isLink, type WireOutline } from '../../opml.ts';

/** Asks for presets of a device that nobody has; nothing is saved by reading. */
const INVENTED_SERIAL = 'longwave-conformance';

function presetsPath(kit: Kit, more = ''): string {
  deps(kit.options.partnerId, 'give --partner-id');
  const { username, serial = INVENTED_SERIAL } = kit.options;
  const who =
    username === undefined
      ? `serial=${encodeURIComponent(serial)}`
      : `username=${encodeURIComponent(username)}`;
  return `/Browse.ashx?c=presets&${who}${more}`;
}

const isFolder = (id: string): boolean => /^f\d+$/.test(id);

/** Folders to open, or the items of the only folder; never both. */
function expectFoldersOrItems({ reply, document }: Answer): void {
  const ids = everyWireOutline(document.outlines).map((outline) => attribute(outline, 'guide_id'));
  const folders = ids.filter(isFolder);
  const holds = folders.length === 0 || (folders.length > 1 && folders.length === ids.length);
  expect(reply, holds, 'the items of one folder, or a link for each of several', ids.join(', '));
}

const isHeard =
  (id: string) =>
  (outline: WireOutline): boolean =>
    attribute(outline, 'guide_id') === id && attribute(outline, 'key') !== 'unavailable';

/** Specification 4.3: browse presets. */
export const browsePresets: Section = {
  id: '4.3',
  title: 'Browse presets',
  checks: [
    {
      id: '4.3-partner',
      statement: 'partnerId is required',
      run: async (kit) => {
        const reply = await kit.get(`/Browse.ashx?c=presets&serial=${INVENTED_SERIAL}`);
        expect(reply, !/<status>200</.test(reply.body.toString()), 'a refusal', reply.body.toString());
      },
    },
    {
      id: '4.3-partner-valid',
      statement: 'partnerId must be valid',
      run: async (kit) => {
        const reply = await kit.get(
          `/Browse.ashx?c=presets&partnerId=no-such-partner&serial=${INVENTED_SERIAL}`,
        );
        expect(reply, !/<status>200</.test(reply.body.toString()), 'a refusal', reply.body.toString());
      },
    },
    {
      id: '4.3-identity',
      statement: 'username or serial is required',
      run: async (kit) => {
        deps(kit.options.partnerId, 'give --partner-id');
        await kit.fault('/Browse.ashx?c=presets');
      },
    },
    {
      id: '4.3-username',
      statement: 'username names the account whose presets are browsed',
      run: async (kit) => {
        deps(kit.options.username, 'give --username and --partner-id');
        await kit.success(presetsPath(kit));
      },
    },
    {
      id: '4.3-serial',
      statement: 'serial maps a client to an anonymous account',
      run: async (kit) => {
        deps(kit.options.partnerId, 'give --partner-id');
        const { serial = INVENTED_SERIAL } = kit.options;
        await kit.success(`/Browse.ashx?c=presets&serial=${encodeURIComponent(serial)}`);
      },
    },
    {
      id: '4.3-formats',
      statement: 'formats is accepted',
      run: (kit) => kit.success(presetsPath(kit, '&formats=mp3')),
    },
    {
      id: '4.3-formats-told',
      statement:
        'formats: a preset that cannot be heard in any of them is left out, or marked as unavailable',
      run: async (kit) => {
        const device = kit.members.device();
        const id = await kit.subjects.stationId();
        await device.done('add', { id });
        const heard = `/Browse.ashx?c=presets&serial=${device.serial}&formats=`;
        expectSome(await kit.fresh(`${heard}mp3,aac`), `${id} to be heard`, isHeard(id));
        const { reply, document } = await kit.fresh(`${heard}qt`);
        const saved = everyWireOutline(document.outlines).find(isHeard(id));
        expect(reply, saved === undefined, `no ${id}, or key="unavailable"`, saved ? describe(saved) : '');
        await device.done('remove', { id });
      },
    },
    {
      id: '4.3-folders',
      statement: 'one folder gives its items, several a link for each',
      run: async (kit) => expectFoldersOrItems(await kit.success(presetsPath(kit))),
    },
    {
      id: '4.3-one-folder',
      statement: 'an account of one folder has its items returned directly',
      run: async (kit) => {
        const device = kit.members.device();
        const id = await kit.subjects.stationId();
        await device.done('add', { id });
        await device.expectSaved([id]);
        await device.done('remove', { id });
      },
    },
    {
      id: '4.3-several-folders',
      statement: 'an account of several folders has a link for each, which opens it',
      run: async (kit) => {
        const device = kit.members.device();
        const id = await kit.subjects.stationId();
        const folderId = await device.addFolder('Kitchen');
        await device.done('add', { id, folderId });
        const answer = await device.presets();
        const [first, ...more] = answer.document.outlines.filter(isLink);
        expect(answer.reply, first !== undefined && more.length > 0, 'two links', String(more.length));
        const link = [first, ...more].find((outline) => attribute(outline, 'guide_id') === folderId);
        const { reply, document } = await kit.fresh(pathOf(link ? attribute(link, 'URL') : ''));
        const ids = document.outlines.map((outline) => attribute(outline, 'guide_id'));
        expect(reply, ids.join() === id, `${id} behind the link`, ids.join(', '));
        await device.done('removeFolder', { folderId });
      },
    },
  ],
};
