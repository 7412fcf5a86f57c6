import { successOf } from '../../answer.ts';
import type { Section } from '../../check.ts';
import { expect } from '../../expect.ts';
import {
  expectEvery,
  expectPlaylist,
  expectSome,
  guideIds,
  linksIn,
  paramsOf,
  someMenus,
} from '../../expectations.ts';
import { attribute, everyWireOutline, field } from '../../opml.ts';

/** Specification 2.1: guide IDs. */
export const guideIdSection: Section = {
  id: '2.1',
  title: 'Guide IDs',
  checks: [
    {
      id: '2.1-shape',
      statement: 'a guide ID is one lowercase letter and digits',
      run: async (kit) => {
        for (const menu of await someMenus(kit)) {
          const named = everyWireOutline(menu.document.outlines).filter((o) => o.attributes.has('guide_id'));
          expectEvery(menu, named, 'a guide_id such as s123', (outline) =>
            /^[a-z]\d+$/.test(attribute(outline, 'guide_id')),
          );
        }
      },
    },
    {
      id: '2.1-station',
      statement: 'stations are s…',
      run: async (kit) =>
        expectSome(
          await kit.subjects.genre(),
          'stations with a guide_id s…',
          (o) => attribute(o, 'item') === 'station' && /^s\d+$/.test(attribute(o, 'guide_id')),
        ),
    },
    {
      id: '2.1-show',
      statement: 'shows are p…',
      run: ({ subjects }) => subjects.show(),
    },
    {
      id: '2.1-topic',
      statement: 'topics are t…',
      run: ({ subjects }) => subjects.topic(),
    },
    {
      id: '2.1-region',
      statement: 'regions are r…, and r0 is the root of the tree by location',
      run: async (kit) => {
        const root = await kit.success('/Browse.ashx?id=r0');
        expectSome(root, 'links to regions, guide_id r…', (o) => /^r\d+$/.test(attribute(o, 'guide_id')));
      },
    },
    {
      id: '2.1-language',
      statement: 'languages are l…, as the value of filter',
      run: async (kit) => {
        const list = await kit.success('/Browse.ashx?c=lang');
        expectEvery(list, linksIn(list), 'filter=l… in the link', (link) =>
          /^l\d+$/.test(paramsOf(link).get('filter') ?? ''),
        );
      },
    },
    {
      id: '2.1-country',
      statement: 'countries are n…',
      run: async (kit) => {
        const list = await kit.success('/Describe.ashx?c=countries');
        expectEvery(list, list.document.outlines, 'a guide_id n…', (country) =>
          /^n\d+$/.test(attribute(country, 'guide_id')),
        );
      },
    },
    {
      id: '2.1-id-parameter',
      statement: 'the guide_id of an outline is what an id parameter takes, in Browse, Describe and Tune',
      run: async (kit) => {
        const { subjects } = kit;
        const topicId = attribute(await subjects.topic(), 'guide_id');
        for (const id of [await subjects.stationId(), await subjects.showId(), topicId]) {
          const described = await kit.success(`/Describe.ashx?id=${id}`);
          const object = described.document.outlines[0]?.object;
          const given = object && field(object, 'guide_id');
          expect(described.reply, given === id, `what is ${id}`, String(given));
          expectPlaylist(await kit.call(`/Tune.ashx?id=${id}`));
        }
        const root = await kit.success('/Browse.ashx?id=r0');
        const [region] = expectSome(root, 'regions', (o) => /^r\d+$/.test(attribute(o, 'guide_id')));
        const countries = await kit.success('/Describe.ashx?c=countries');
        const [country] = expectSome(countries, 'countries', (o) => attribute(o, 'guide_id') !== '');
        const browsable = [
          await subjects.stationId(),
          await subjects.genreId(),
          attribute(region, 'guide_id'),
          attribute(country, 'guide_id'),
        ];
        for (const id of browsable) await kit.success(`/Browse.ashx?id=${id}`);
      },
    },
    {
      id: '2.1-id-folder',
      statement: 'the guide_id of a folder is what id takes in Browse, with and without c=presets',
      run: async (kit) => {
        const device = kit.members.device();
        const station = await kit.subjects.stationId();
        const folderId = await device.addFolder('Kitchen');
        await device.done('add', { id: station, folderId });
        for (const start of ['', 'c=presets&']) {
          const path = `/Browse.ashx?${start}id=${folderId}&serial=${device.serial}`;
          const { reply, document } = successOf(await kit.fresh(path));
          const came = guideIds(document.outlines);
          expect(reply, came.join() === station, `${station}, which is in the folder`, came.join(', '));
        }
        await device.done('removeFolder', { folderId });
      },
    },
  ],
};
