import type { Section } from '../check.ts';
import { expect } from '../expect.ts';
import { ANNOUNCEMENT, expectPlaylist, expectSome } from '../expectations.ts';
import { pathOf } from '../answer.ts';
import { attribute, describe, isTopic } from '../opml.ts';

/** Specification 4.9: tune. */
export const tune: Section = {
  id: '4.9',
  title: 'Tune',
  checks: [
    {
      id: '4.9-pbrowse',
      statement: 'c=pbrowse&id=p… lists how a show can be heard',
      run: async ({ subjects }) =>
        expectSome(await subjects.listening(), 'something to hear or to follow', (o) =>
          o.attributes.has('URL'),
        ),
    },
    {
      id: '4.9-topics-first',
      statement: 'the topics of a show are its first group, and no line without children has such a key',
      run: async ({ subjects }) => {
        await subjects.topic();
        const { reply, document } = await subjects.listening();
        const [first] = document.outlines;
        expect(
          reply,
          first?.children.some(isTopic) === true,
          'a group of topics first',
          reply.body.toString(),
        );
        const named = document.outlines.filter((o) => /^topic/i.test(attribute(o, 'key')));
        const bare = named.find(({ children }) => children.length === 0);
        expect(reply, bare === undefined, 'children under every key topic…', bare ? describe(bare) : '');
      },
    },
    {
      id: '4.9-show-playlist',
      statement: 'what it lists leads to a playlist',
      run: async (kit) => {
        const topic = await kit.subjects.topic();
        expectPlaylist(await kit.get(pathOf(attribute(topic, 'URL'))));
      },
    },
    {
      id: '4.9-show-tune',
      statement: 'a show that has topics is tuned by its id alone: a playlist',
      run: async (kit) => {
        await kit.subjects.topic();
        const lines = expectPlaylist(await kit.call(`/Tune.ashx?id=${await kit.subjects.showId()}`));
        const reply = await kit.call(`/Tune.ashx?id=${await kit.subjects.showId()}`);
        const isHeard = !lines.some((line) => ANNOUNCEMENT.test(line));
        expect(reply, isHeard, 'what can be heard of the show', lines.join(' '));
      },
    },
    {
      id: '4.9-station-playlist',
      statement: 'the URL of a station is a playlist',
      run: async (kit) => {
        const station = await kit.subjects.station();
        expectPlaylist(await kit.get(pathOf(attribute(station, 'URL'))));
      },
    },
    {
      id: '4.9-one-stream',
      statement: 'a stream of the listening options tunes to that stream alone',
      run: async (kit) => {
        const id = await kit.subjects.stationId();
        const options = await kit.success(`/Tune.ashx?c=ebrowse&id=${id}`);
        const [first] = expectSome(options, 'streams', (o) => attribute(o, 'type') === 'audio');
        const reply = await kit.get(pathOf(attribute(first, 'URL')));
        expect(reply, expectPlaylist(reply).length === 1, 'one address', reply.body.toString());
      },
    },
    {
      id: '4.9-unknown',
      statement: 'an id that names nothing gives no stream',
      run: async (kit) => {
        const reply = await kit.call('/Tune.ashx?id=s999999999999');
        const text = reply.body.toString();
        expect(reply, /^#STATUS: \d{3}$/m.test(text) || /<status>4\d\d</.test(text), '#STATUS: 400', text);
      },
    },
  ],
};
