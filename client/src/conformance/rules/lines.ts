import type { Check } from '../check.ts';
import { expect, NotShown } from '../expect.ts';
import { expectEvery, expectPlaylist, someMenus, stationsIn } from '../expectations.ts';
import { attribute, everyWireOutline, isTopic } from '../opml.ts';
import { mediaType, textOf } from '../reply.ts';

const LINE = /^<outline(?: [\w.]+="[^"<>]*")*\/?>$/;
const ENVELOPE = /^<\?xml [^>]*\?>\s*<opml version="1">\s*<head>/;

export const lineRules: readonly Check[] = [
  {
    id: 'rule-9',
    statement: 'Tune gives bare addresses, one a line, as audio/x-mpegurl',
    run: async (kit) => {
      const reply = await kit.call(`/Tune.ashx?id=${await kit.subjects.stationId()}`);
      expectPlaylist(reply);
      expect(reply, mediaType(reply) === 'audio/x-mpegurl', 'audio/x-mpegurl', mediaType(reply));
    },
  },
  {
    id: 'rule-10',
    statement: 'each outline on its own line; type, text, URL, bitrate first; double quotes; > escaped',
    run: async (kit) => {
      for (const menu of await someMenus(kit)) {
        const lines = (textOf(menu.reply) ?? '').split('\n').filter((line) => line.includes('<outline'));
        const wrong = lines.find((line) => !LINE.test(line.trim()));
        expect(menu.reply, wrong === undefined, '<outline name="value" …/> alone on its line', wrong ?? '');
        expectEvery(menu, stationsIn(menu), 'type, text, URL, bitrate first', (station) =>
          [...station.attributes.keys()].join().startsWith('type,text,URL,bitrate'),
        );
      }
    },
  },
  {
    id: 'rule-11',
    statement: '<?xml?>, then <opml version="1">; only title and status in the head of success',
    run: async (kit) => {
      for (const { reply, document } of await someMenus(kit)) {
        const text = textOf(reply) ?? '';
        expect(reply, ENVELOPE.test(text), '<?xml …?><opml version="1"><head>', text);
        const names = document.head.map(([name]) => name).filter((name) => name !== 'title');
        expect(reply, names.join() === 'status', '<title> and <status>', names.join(', '));
      }
    },
  },
  {
    id: 'rule-13',
    statement: 'every URL holds a ?, and every child of a group has a URL',
    run: async (kit) => {
      for (const menu of await someMenus(kit)) {
        const leading = everyWireOutline(menu.document.outlines).filter((o) =>
          ['link', 'audio'].includes(attribute(o, 'type')),
        );
        expectEvery(menu, leading, 'a ? in the URL', (o) => attribute(o, 'URL').includes('?'));
        const children = menu.document.outlines.flatMap((group) => group.children);
        expectEvery(menu, children, 'a URL', (o) => o.attributes.has('URL') || o.children.length > 0);
      }
    },
  },
  {
    id: 'rule-14',
    statement: 'stations carry URL, bitrate, reliability, guide_id, subtext, item, image',
    run: async (kit) => {
      const menu = await kit.subjects.genre();
      const names = ['URL', 'guide_id', 'subtext', 'item', 'image'];
      expectEvery(
        menu,
        stationsIn(menu),
        `${names.join(', ')}, and whole numbers as bitrate and reliability`,
        (o) =>
          names.every((name) => attribute(o, name) !== '') &&
          ['bitrate', 'reliability'].every((name) => /^\d+$/.test(attribute(o, name))),
      );
    },
  },
  {
    id: 'rule-14-playing',
    statement: 'the song of a station is its playing and its subtext',
    run: async (kit) => {
      let given = 0;
      for (const menu of await someMenus(kit)) {
        const playing = stationsIn(menu).filter((o) => o.attributes.has('playing'));
        given += playing.length;
        expectEvery(
          menu,
          playing,
          'playing that says something, and the same as subtext',
          (o) => attribute(o, 'playing') !== '' && attribute(o, 'playing') === attribute(o, 'subtext'),
        );
      }
      if (given === 0) throw new NotShown('no station in the menus tells a song');
    },
  },
  {
    id: 'rule-14-topic',
    statement: 'topics carry URL, guide_id, subtext, item, image',
    run: async (kit) => {
      await kit.subjects.topic();
      const menu = await kit.subjects.listening();
      const topics = everyWireOutline(menu.document.outlines).filter(isTopic);
      const names = ['URL', 'guide_id', 'subtext', 'item', 'image'];
      expectEvery(menu, topics, names.join(', '), (o) => names.every((name) => attribute(o, name) !== ''));
    },
  },
  {
    id: 'rule-15',
    statement: 'no empty group, and no text line inside a group',
    run: async (kit) => {
      for (const menu of await someMenus(kit)) {
        const groups = everyWireOutline(menu.document.outlines).filter((o) => !o.attributes.has('type'));
        expectEvery(menu, groups, 'a group with children', (o) => o.children.length > 0);
        const children = groups.flatMap((group) => group.children);
        expectEvery(menu, children, 'no text in a group', (o) => attribute(o, 'type') !== 'text');
      }
    },
  },
  {
    id: 'rule-16',
    statement: 'preset_number only in the presets browse',
    run: async (kit) => {
      for (const menu of await someMenus(kit))
        expectEvery(
          menu,
          everyWireOutline(menu.document.outlines),
          'no preset_number',
          (o) => !o.attributes.has('preset_number'),
        );
    },
  },
];
