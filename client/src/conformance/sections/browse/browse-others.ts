import type { Section } from '../../check.ts';
import { expect } from '../../expect.ts';
import { expectEvery, expectSome, paramsOf } from '../../expectations.ts';
import { attribute, everyWireOutline, isTopic, type WireOutline } from '../../opml.ts';

const START = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const isSong = (line: WireOutline): boolean => START.test(attribute(line, 'start'));
const isWords = (line: WireOutline): boolean =>
  attribute(line, 'type') === 'text' && !line.attributes.has('start');

/** Specification 4.8: other browse forms. */
export const browseOthers: Section = {
  id: '4.8',
  title: 'Other browse forms',
  checks: [
    {
      id: '4.8-topics',
      statement: 'c=topics&id=p…&title=… gives the topics of a show',
      run: async (kit) => {
        await kit.subjects.topic();
        const id = await kit.subjects.showId();
        const menu = await kit.success(`/Browse.ashx?c=topics&id=${id}&title=Recent`);
        const topics = expectSome(menu, 'topics', isTopic);
        expectEvery(menu, topics, 'type="audio"', (topic) => attribute(topic, 'type') === 'audio');
      },
    },
    {
      id: '4.8-podcast',
      statement: 'c=podcast answers',
      run: (kit) => kit.success('/Browse.ashx?c=podcast'),
    },
    {
      id: '4.8-playlist',
      statement:
        'c=playlist&id=s… gives what a station played, each song with its start, or a line that says there is none',
      run: async (kit) => {
        const id = await kit.subjects.stationId();
        const menu = await kit.success(`/Browse.ashx?c=playlist&id=${id}`);
        const lines = everyWireOutline(menu.document.outlines);
        const expected = 'lines with a text, and a start of yyyy-mm-ddThh:mm:ss where they are songs';
        expectEvery(menu, lines, expected, (line) => attribute(line, 'text') !== '');
        expectEvery(menu, lines, expected, (line) => isSong(line) || isWords(line));
      },
    },
    {
      id: '4.8-newest-topics',
      statement: 'filter=p:topic gives the newest topics of a genre, each with its show',
      run: async (kit) => {
        const genreId = attribute(await kit.subjects.show(), 'genre_id') || 'none';
        const menu = await kit.success(`/Browse.ashx?id=${genreId}&filter=p:topic`);
        const topics = expectSome(menu, 'topics', isTopic);
        expectEvery(menu, topics, 'a URL with sid=p…', (topic) =>
          /^p\d+$/.test(paramsOf(topic).get('sid') ?? ''),
        );
        const { reply } = menu;
        expect(
          reply,
          topics.every((o) => attribute(o, 'type') === 'audio'),
          'type="audio"',
          'another type',
        );
      },
    },
  ],
};
