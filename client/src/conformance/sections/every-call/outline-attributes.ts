import type { Section } from '../../check.ts';
import { expect } from '../../expect.ts';
import { expectEvery, expectHeard, linksIn, someMenus } from '../../expectations.ts';
import { attribute, everyWireOutline, isShow, isStation, isTopic } from '../../opml.ts';

const TYPES = new Set(['link', 'text', 'object', 'audio', 'search', 'container', '']);
const isAddress = (text: string): boolean => URL.parse(text)?.protocol.startsWith('http') ?? false;
const INDEX_KEYS = ['local', 'talk', 'sports', 'music', 'language', 'podcast', 'presets'];

/** Specification 2.3: the attributes of an outline. */
export const outlineAttributes: Section = {
  id: '2.3',
  title: 'Outline element attributes',
  checks: [
    {
      id: '2.3-type',
      statement: 'type is link, text, object, audio, search or container, or absent for a group',
      run: async (kit) => {
        for (const menu of await someMenus(kit))
          expectEvery(menu, everyWireOutline(menu.document.outlines), 'a known type', (o) =>
            TYPES.has(attribute(o, 'type')),
          );
      },
    },
    {
      id: '2.3-text',
      statement: 'every outline has a display text',
      run: async (kit) => {
        for (const menu of await someMenus(kit))
          expectEvery(
            menu,
            everyWireOutline(menu.document.outlines),
            'a text',
            (o) => attribute(o, 'text') !== '',
          );
      },
    },
    {
      id: '2.3-url',
      statement: 'the URL of a link is the address to follow next',
      run: async (kit) => {
        for (const menu of await someMenus(kit)) {
          expectEvery(menu, linksIn(menu), 'an absolute URL', (o) => isAddress(attribute(o, 'URL')));
          const next = linksIn(menu).find((o) => /\.ashx\?/i.test(attribute(o, 'URL')));
          if (next) await kit.follow(attribute(next, 'URL'));
        }
      },
    },
    {
      id: '2.3-url-of-show',
      statement: 'the URL of a show that has topics leads to what can be played',
      run: async (kit) => {
        await kit.subjects.topic();
        await expectHeard(kit, attribute(await kit.subjects.show(), 'URL'));
      },
    },
    {
      id: '2.3-key',
      statement: 'the index uses the keys local, talk, sports, music, language, podcast, presets',
      run: async (kit) => {
        const { reply, document } = await kit.subjects.index();
        const keys = document.outlines.map((outline) => attribute(outline, 'key'));
        const missing = INDEX_KEYS.filter((key) => !keys.includes(key));
        expect(reply, missing.length === 0, `the keys ${INDEX_KEYS.join(', ')}`, keys.join(', '));
      },
    },
    {
      id: '2.3-guide-id',
      statement: 'stations, shows and topics carry their guide_id',
      run: async (kit) => {
        for (const menu of await someMenus(kit)) {
          const items = everyWireOutline(menu.document.outlines).filter((o) =>
            ['station', 'show', 'topic'].includes(attribute(o, 'item')),
          );
          expectEvery(menu, items, 'a guide_id', (o) => isStation(o) || isShow(o) || isTopic(o));
        }
      },
    },
    {
      id: '2.3-preset-id',
      statement: 'preset_id in now-playing output is the ID of the station',
      run: async (kit) => {
        const id = await kit.subjects.stationId();
        const { reply, document } = await kit.success(`/Describe.ashx?c=nowplaying&id=${id}`);
        const given = document.outlines[0]?.attributes.get('preset_id');
        expect(reply, given === id, `preset_id="${id}"`, String(given));
      },
    },
    {
      id: '2.3-image',
      statement: 'image is the address of a logo',
      run: async (kit) => {
        const menu = await kit.subjects.genre();
        const stations = everyWireOutline(menu.document.outlines).filter(isStation);
        expectEvery(menu, stations, 'an absolute image address', (o) => isAddress(attribute(o, 'image')));
      },
    },
    {
      id: '2.3-start',
      statement: 'start of a schedule entry is yyyy-mm-ddThh:mm:ss',
      run: async ({ subjects }) => {
        const { answer } = await subjects.schedule();
        expectEvery(answer, answer.document.outlines, 'start="yyyy-mm-ddThh:mm:ss"', (o) =>
          /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(attribute(o, 'start')),
        );
      },
    },
    {
      id: '2.3-duration',
      statement: 'duration of a schedule entry is a whole number of seconds',
      run: async ({ subjects }) => {
        const { answer } = await subjects.schedule();
        expectEvery(answer, answer.document.outlines, 'a duration in seconds', (o) =>
          /^[1-9]\d*$/.test(attribute(o, 'duration')),
        );
      },
    },
    {
      id: '2.3-tz',
      statement: 'tz of a schedule entry is absent without a username',
      run: async ({ subjects }) => {
        const { answer } = await subjects.schedule();
        expectEvery(answer, answer.document.outlines, 'no tz', (o) => !o.attributes.has('tz'));
      },
    },
  ],
};
