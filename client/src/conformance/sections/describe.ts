import { expect, NotShown, type Check, type Section } from '../check.ts';
import { expectEvery, expectSome, groupKeys, stationsIn } from '../expectations.ts';
import type { Answer } from '../answer.ts';
import type { Kit } from '../kit.ts';
import { attribute, field } from '../opml.ts';
import { showOnAir } from '../schedule-entries.ts';
import { parseDetails } from './browse-station.ts';

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

const detailed = (kind: string, detail: string, idOf: (kit: Kit) => Promise<string>): Check => ({
  id: `4.12-${kind}-${detail.replaceAll(',', '-')}`,
  statement: `a ${kind} with detail=${detail}: the object, then the groups that were asked for`,
  run: async (kit) => {
    const answer = await kit.success(`/Describe.ashx?id=${await idOf(kit)}&detail=${detail}`);
    const [first] = answer.document.outlines;
    expect(answer.reply, first?.object?.name === kind, `the ${kind} first`, answer.reply.body.toString());
    const keys = groupKeys(answer);
    const allowed = parseDetails(detail);
    const holds = keys.every((key) => allowed.includes(key));
    expect(answer.reply, holds, allowed.join(', '), keys.join(', '));
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
        const isStation = lines[0]?.attributes.get('key') === 'station';
        expect(
          answer.reply,
          lines.length >= 2 && isStation,
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
    {
      id: '4.12-topic',
      statement: 'a topic: one object outline',
      run: async (kit) => expectObject(kit, 'topic', attribute(await kit.subjects.topic(), 'guide_id')),
    },
    {
      id: '4.12-countries',
      statement: 'c=countries: an outline for every country, with a guide_id',
      run: async (kit) => {
        const answer = await kit.success('/Describe.ashx?c=countries');
        const { length } = answer.document.outlines;
        expect(answer.reply, length >= 190, 'every country', `${length} outlines`);
        expectEvery(
          answer,
          answer.document.outlines,
          'text and guide_id',
          (o) => attribute(o, 'text') !== '' && attribute(o, 'guide_id') !== '',
        );
      },
    },
    {
      id: '4.12-country-search',
      statement: 'the guide_id of a country is usable in Search: what is found is there',
      run: async (kit) => {
        const list = await kit.success('/Describe.ashx?c=countries');
        const [country] = expectSome(list, 'Ireland', (o) => attribute(o, 'text') === 'Ireland');
        const id = attribute(country, 'guide_id');
        const answer = await kit.success(`/Search.ashx?query=radio&country=${id}`);
        for (const station of stationsIn(answer).slice(0, 3)) {
          const { reply, document } = await kit.success(
            `/Describe.ashx?id=${attribute(station, 'guide_id')}`,
          );
          const object = document.outlines[0]?.object;
          const place = (object && field(object, 'location')) ?? '';
          expect(reply, place.includes('Ireland'), 'a station in Ireland', place);
        }
      },
    },
  ],
};
