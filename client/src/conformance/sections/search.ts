import type { Section } from '../check.ts';
import { expect, NotShown } from '../expect.ts';
import { expectEvery, expectSome, guideIds, stationsIn } from '../expectations.ts';
import type { Answer } from '../answer.ts';
import type { Kit } from '../kit.ts';
import { attribute, everyWireOutline, field, isShow, isTopic } from '../opml.ts';

/** The name of the station that is looked for, as it describes itself. */
async function knownName(kit: Kit): Promise<string> {
  const { document } = await kit.success(`/Describe.ashx?id=${await kit.subjects.stationId()}`);
  const object = document.outlines[0]?.object;
  const name = object && field(object, 'name');
  if (!name) throw new NotShown('the first station does not describe itself');
  return name;
}

const search = (kit: Kit, query: string): Promise<Answer> => kit.success(`/Search.ashx?${query}`);

async function expectFound(kit: Kit, answer: Answer): Promise<void> {
  const id = await kit.subjects.stationId();
  const ids = guideIds(stationsIn(answer));
  expect(answer.reply, ids.includes(id), `${id} among the results`, ids.join(', ') || 'no station');
}

/** Specification 4.14: search, with the path and parameters that clients use. */
export const searchSection: Section = {
  id: '4.14',
  title: 'Search',
  checks: [
    {
      id: '4.14-query',
      statement: 'query finds a station by its name',
      run: async (kit) =>
        expectFound(kit, await search(kit, `query=${encodeURIComponent(await knownName(kit))}`)),
    },
    {
      id: '4.14-plus',
      statement: 'spaces may be written as +',
      run: async (kit) => {
        const words = (await knownName(kit)).split(' ').map(encodeURIComponent);
        await expectFound(kit, await search(kit, `query=${words.join('+')}`));
      },
    },
    {
      id: '4.14-guide-id',
      statement: 'a guide ID as query finds its item',
      run: async (kit) => expectFound(kit, await search(kit, `query=${await kit.subjects.stationId()}`)),
    },
    {
      id: '4.14-top-level',
      statement: 'stations stand at the top level, of type audio',
      run: async (kit) => {
        const answer = await search(kit, `query=${encodeURIComponent(await knownName(kit))}`);
        const top = answer.document.outlines.filter((o) => attribute(o, 'item') === 'station');
        expect(answer.reply, top.length > 0, 'stations outside of groups', 'none');
        expectEvery(answer, top, 'type="audio"', (o) => attribute(o, 'type') === 'audio');
      },
    },
    {
      id: '4.14-types-station',
      statement: 'types=station gives no shows',
      run: async (kit) => {
        const answer = await search(kit, `query=${encodeURIComponent(await knownName(kit))}&types=station`);
        expectEvery(answer, everyWireOutline(answer.document.outlines), 'no show', (o) => !isShow(o));
        await expectFound(kit, answer);
      },
    },
    {
      id: '4.14-types-show',
      statement: 'types=show finds a show by its title, and no stations',
      run: async (kit) => {
        const show = await kit.subjects.show();
        const answer = await search(kit, `query=${encodeURIComponent(attribute(show, 'text'))}&types=show`);
        const found = guideIds(everyWireOutline(answer.document.outlines));
        const id = attribute(show, 'guide_id');
        expect(answer.reply, found.includes(id), `${id} among the results`, found.join(', '));
        expect(answer.reply, stationsIn(answer).length === 0, 'no station', found.join(', '));
      },
    },
    {
      id: '4.14-topics',
      statement: 'filter=p:topic adds topics to the shows that are found',
      run: async (kit) => {
        await kit.subjects.topic();
        const title = attribute(await kit.subjects.show(), 'text');
        const answer = await search(kit, `query=${encodeURIComponent(title)}&filter=p:topic`);
        const topics = expectSome(answer, 'topics', isTopic);
        expectEvery(answer, topics, 'type="audio"', (topic) => attribute(topic, 'type') === 'audio');
        expect(answer.reply, stationsIn(answer).length === 0, 'no station', 'stations');
      },
    },
    {
      id: '4.14-topic-title',
      statement: 'filter=p:topic finds the newest topic of a show by its title',
      run: async (kit) => {
        const topic = await kit.subjects.topic();
        const query = encodeURIComponent(attribute(topic, 'text'));
        const answer = await search(kit, `query=${query}&filter=p:topic`);
        const ids = guideIds(everyWireOutline(answer.document.outlines));
        const id = attribute(topic, 'guide_id');
        expect(answer.reply, ids.includes(id), `${id} among the results`, ids.join(', ') || 'nothing');
      },
    },
    {
      id: '4.14-nothing',
      statement: 'nothing found is status 200',
      run: (kit) => search(kit, 'query=zzqxwvkjzzqxwvkj'),
    },
    {
      id: '4.14-empty',
      statement: 'an empty query is refused with status 400 and request.queryInvalid',
      run: async (kit) => {
        const { reply, document } = await kit.fault('/Search.ashx?query=');
        const came = `${document.status} ${document.faultCode}`;
        expect(reply, came === '400 request.queryInvalid', '400 request.queryInvalid', came);
      },
    },
    {
      id: '4.14-song',
      statement: 'c=song, c=artist and both give stations alone, and status 200 where none plays it',
      run: async (kit) => {
        for (const c of ['song', 'artist', 'song,artist', 'artist,song'])
          for (const query of ['zzqxwvkjzzqxwvkj', 'the']) {
            const answer = await search(kit, `c=${c}&query=${query}`);
            const lines = everyWireOutline(answer.document.outlines);
            expectEvery(answer, lines, 'no show', (line) => !isShow(line));
            const isFound = stationsIn(answer).length > 0 && query.startsWith('zz');
            expect(answer.reply, !isFound, 'no station for what nobody sings', 'stations');
          }
      },
    },
    {
      id: '4.14-song-empty',
      statement: 'c=song without a query is refused with status 400 and request.queryInvalid',
      run: async (kit) => {
        const { reply, document } = await kit.fault('/Search.ashx?c=song');
        const came = `${document.status} ${document.faultCode}`;
        expect(reply, came === '400 request.queryInvalid', '400 request.queryInvalid', came);
      },
    },
    {
      id: '4.14-formats',
      statement: 'formats filters the stations',
      run: async (kit) => {
        const answer = await search(kit, 'query=radio&formats=aac');
        const playable = answer.document.outlines.filter((o) => o.attributes.has('formats'));
        expectEvery(answer, playable, 'stations that have aac', (o) =>
          attribute(o, 'formats').split(',').includes('aac'),
        );
      },
    },
  ],
};
