import type { Check, Section } from '../check.ts';
import { expect, NotShown } from '../expect.ts';
import { expectEvery, expectSome, groupKeys, guideIds } from '../expectations.ts';
import type { Answer } from '../answer.ts';
import type { Kit } from '../kit.ts';
import { attribute, field, isStation } from '../opml.ts';
import { showOnAir } from '../schedule-entries.ts';
import { DETAILS, parseDetails } from './browse/browse-station.ts';
import { countryChecks } from './countries.ts';

const nowPlaying = async (kit: Kit): Promise<Answer> =>
  kit.success(`/Describe.ashx?c=nowplaying&id=${await kit.subjects.stationId()}`);

/** One object of a kind that names itself. */
async function expectObject(kit: Kit, kind: string, id: string): Promise<void> {
  const { reply, document } = await kit.success(`/Describe.ashx?id=${id}`);
  const [outline, ...more] = document.outlines;
  const holds =
    outline?.object?.name === kind && attribute(outline, 'type') === 'object' && more.length === 0;
  expect(reply, holds, `one outline of type object that holds a ${kind}`, reply.body.toString());
  const named = outline.object && field(outline.object, 'guide_id');
  expect(reply, named === id, `<guide_id>${id}</guide_id>`, String(named));
}

/** The groups that an item has of those that are named, each asked for alone. */
async function groupsOneByOne(kit: Kit, id: string, details: string): Promise<string[]> {
  const there: string[] = [];
  for (const detail of details.split(',')) {
    const keys = groupKeys(await kit.success(`/Describe.ashx?id=${id}&detail=${detail}`));
    there.push(...keys.filter((key) => parseDetails(detail).includes(key)));
  }
  return there;
}

const affiliateIds = async (kit: Kit, id: string): Promise<{ answer: Answer; ids: string[] }> => {
  const answer = await kit.success(`/Describe.ashx?id=${id}&detail=affiliate`);
  const group = answer.document.outlines.find((outline) => attribute(outline, 'key') === DETAILS.affiliate);
  return { answer, ids: guideIds(group?.children ?? []) };
};

/** A show that is on the air now belongs to the networks of its station. */
const showAffiliate: Check = {
  id: '4.12-show-affiliate',
  statement: 'a show with detail=affiliate: the object, then the networks of the stations that have it',
  run: async (kit) => {
    const { stationId } = await kit.subjects.schedule();
    const { ids: wanted } = await affiliateIds(kit, stationId);
    if (wanted.length === 0) throw new NotShown('the station with a schedule belongs to no network');
    const { answer, ids } = await affiliateIds(kit, attribute(await showOnAir(kit), 'guide_id'));
    const isFirst = answer.document.outlines[0]?.object?.name === 'show';
    expect(answer.reply, isFirst, 'the show first', answer.reply.body.toString());
    const holds = wanted.every((id) => ids.includes(id));
    expect(answer.reply, holds, `${wanted.join(', ')} among the affiliates`, ids.join(', ') || 'none');
    expect(answer.reply, groupKeys(answer).length === 1, 'no other group', groupKeys(answer).join(', '));
    for (const id of ids) expectSome(await kit.success(`/Browse.ashx?id=${id}`), 'its stations', isStation);
  },
};

const detailed = (kind: string, detail: string, idOf: (kit: Kit) => Promise<string>): Check => ({
  id: `4.12-${kind}-${detail.replaceAll(',', '-')}`,
  statement: `a ${kind} with detail=${detail}: the object, then the groups that were asked for`,
  run: async (kit) => {
    const answer = await kit.success(`/Describe.ashx?id=${await idOf(kit)}&detail=${detail}`);
    const [first] = answer.document.outlines;
    expect(answer.reply, first?.object?.name === kind, `the ${kind} first`, answer.reply.body.toString());
    const keys = groupKeys(answer);
    const wanted = await groupsOneByOne(kit, await idOf(kit), detail);
    const holds = keys.toSorted().join() === wanted.toSorted().join();
    expect(answer.reply, holds, `the groups ${wanted.join(', ')} and no other`, keys.join(', '));
    if (keys.length === 0) throw new NotShown(`the first ${kind} has no ${detail}`);
  },
});

/** Specification 4.12: describe. */
export const describeSection: Section = {
  id: '4.12',
  title: 'Describe',
  checks: [
    {
      id: '4.12-nowplaying',
      statement: 'now playing: two or more text outlines, the first the station',
      run: async (kit) => {
        const answer = await nowPlaying(kit);
        const lines = answer.document.outlines.filter((outline) => attribute(outline, 'type') === 'text');
        const isNamed = lines[0]?.attributes.get('key') === 'station';
        expect(
          answer.reply,
          lines.length >= 2 && isNamed,
          'two text lines, the first of key station',
          answer.reply.body.toString(),
        );
      },
    },
    {
      id: '4.12-nowplaying-show',
      statement: 'now playing: the title of the show that is on, and its genre',
      run: async (kit) => {
        const { stationId } = await kit.subjects.schedule();
        const title = attribute(await showOnAir(kit), 'text');
        const answer = await kit.success(`/Describe.ashx?c=nowplaying&id=${stationId}`);
        const texts = answer.document.outlines.map((outline) => attribute(outline, 'text'));
        const at = texts.indexOf(title);
        expect(answer.reply, at > 0, `a line '${title}' behind the station`, texts.join(' | '));
        const showId = attribute(await showOnAir(kit), 'guide_id');
        const { document } = await kit.success(`/Describe.ashx?id=${showId}`);
        const object = document.outlines[0]?.object;
        const genre = object && field(object, 'genre_name');
        if (!genre) throw new NotShown('the show has no genre');
        expect(answer.reply, texts.includes(genre), `a line '${genre}'`, texts.join(' | '));
      },
    },
    {
      id: '4.12-nowplaying-song',
      statement: 'now playing: where the song is known, one line holds song and artist',
      run: async (kit) => {
        const stations = await kit.subjects.stations();
        const station = stations.find((outline) => attribute(outline, 'playing').includes(' - '));
        if (!station) throw new NotShown('no station was found whose song is known');
        const id = attribute(station, 'guide_id');
        const { reply, document } = await kit.success(`/Describe.ashx?c=nowplaying&id=${id}`);
        const texts = document.outlines.map((outline) => attribute(outline, 'text'));
        const song = attribute(station, 'playing');
        expect(reply, texts.includes(song), `a line '${song}'`, texts.join(' | '));
      },
    },
    {
      id: '4.12-nowplaying-image',
      statement: 'now playing: the first outline has image and preset_id',
      run: async (kit) => {
        const answer = await nowPlaying(kit);
        expectEvery(
          answer,
          answer.document.outlines.slice(0, 1),
          'image and preset_id',
          (o) => o.attributes.has('image') && o.attributes.has('preset_id'),
        );
      },
    },
    {
      id: '4.12-nowplaying-ttl',
      statement: 'now playing: Cache-Control gives the time to live',
      run: async (kit) => {
        const { reply } = await nowPlaying(kit);
        const given = reply.headers['cache-control'] ?? 'no header';
        expect(reply, /(?:^|[\s,])max-age=\d+/.test(given), 'Cache-Control: private, max-age=N', given);
      },
    },
    {
      id: '4.12-nowplaying-id',
      statement: 'now playing: id is required',
      run: (kit) => kit.fault('/Describe.ashx?c=nowplaying'),
    },
    {
      id: '4.12-station',
      statement: 'a station: one object outline',
      run: async (kit) => expectObject(kit, 'station', await kit.subjects.stationId()),
    },
    {
      id: '4.12-station-name',
      statement: 'a station: the name that lists show, letter for letter',
      run: async (kit) => {
        const shown = attribute(await kit.subjects.station(), 'text');
        const { reply, document } = await kit.success(`/Describe.ashx?id=${await kit.subjects.stationId()}`);
        const object = document.outlines[0]?.object;
        const name = (object && field(object, 'name')) ?? '';
        expect(reply, name !== '' && shown.includes(name), `a name that is part of '${shown}'`, name);
      },
    },
    ...['genre', 'affiliate', 'recommendation', 'genre,recommendation', 'affiliate,genre,recommendation'].map(
      (detail) => detailed('station', detail, ({ subjects }) => subjects.stationId()),
    ),
    {
      id: '4.12-show',
      statement: 'a show: one object outline',
      run: async (kit) => expectObject(kit, 'show', await kit.subjects.showId()),
    },
    ...['genre', 'recommendation', 'genre,recommendation'].map((detail) =>
      detailed('show', detail, ({ subjects }) => subjects.showId()),
    ),
    showAffiliate,
    detailed('show', 'affiliate,genre,recommendation', async (kit) =>
      attribute(await showOnAir(kit), 'guide_id'),
    ),
    {
      id: '4.12-topic',
      statement: 'a topic: one object outline',
      run: async (kit) => expectObject(kit, 'topic', attribute(await kit.subjects.topic(), 'guide_id')),
    },
    ...countryChecks,
  ],
};
