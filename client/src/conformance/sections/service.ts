import type { Section } from '../check.ts';
import { expect } from '../expect.ts';
import { expectSome, linksIn } from '../expectations.ts';
import { attribute, isTopic } from '../opml.ts';

/** Specification 1: what the service does. */
export const service: Section = {
  id: '1',
  title: 'What the service does',
  checks: [
    {
      id: '1-tree',
      statement: 'stations are reached from the index by following links',
      run: ({ subjects }) => subjects.station(),
    },
    {
      id: '1-shows',
      statement: 'shows are reached from the index by following links',
      run: ({ subjects }) => subjects.show(),
    },
    {
      id: '1-topics',
      statement: 'topics are reached by following the link of their show',
      run: async (kit) => {
        await kit.subjects.topic();
        const show = await kit.subjects.show();
        expectSome(await kit.follow(attribute(show, 'URL')), 'topics', isTopic);
      },
    },
    {
      id: '1-query',
      statement: 'parameters go in the query string of a GET',
      run: async (kit) => {
        const index = await kit.success('/Browse.ashx');
        const music = await kit.success('/Browse.ashx?c=music');
        expect(
          music.reply,
          !music.reply.body.equals(index.reply.body),
          'c=music to be another menu',
          'the index',
        );
      },
    },
    {
      id: '1-opml',
      statement:
        'every group of calls is an endpoint of its own that answers in OPML: opml, head, body, outlines',
      run: async (kit) => {
        const id = await kit.subjects.stationId();
        await kit.success(`/Browse.ashx?id=${id}`);
        await kit.success(`/Describe.ashx?id=${id}`);
        await kit.success('/Search.ashx?query=radio');
        await kit.success(`/Tune.ashx?c=ebrowse&id=${id}`);
        await kit.success(`/Report.ashx?c=wizard&id=${id}`);
        // What nobody names is refused, in a document of the same form.
        for (const endpoint of ['Preset', 'Account', 'Report'])
          await kit.fault(`/${endpoint}.ashx?c=no-such`);
      },
    },
    {
      id: '1-browse-c',
      statement: 'Browse is selected by a classifier',
      run: (kit) => kit.success('/Browse.ashx?c=world'),
    },
    {
      id: '1-browse-id',
      statement: 'Browse is selected by an id',
      run: (kit) => kit.success('/Browse.ashx?id=r0'),
    },
    {
      id: '1-links',
      statement: 'every link of the index that leads to this server answers with status 200',
      run: async (kit) => {
        const index = await kit.subjects.index();
        for (const link of linksIn(index)) {
          if (/\.ashx\?/i.test(attribute(link, 'URL'))) await kit.follow(attribute(link, 'URL'));
        }
      },
    },
  ],
};
