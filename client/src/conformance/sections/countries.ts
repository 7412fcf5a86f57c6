import type { Check } from '../check.ts';
import { expect, NotShown } from '../expect.ts';
import { expectEvery, expectSome, guideIds, linksIn, stationsIn } from '../expectations.ts';
import type { Answer } from '../answer.ts';
import type { Kit } from '../kit.ts';
import { attribute, field, isStation, type WireOutline } from '../opml.ts';
import type { Reply } from '../reply.ts';

/** How many stations are asked where they are. */
const ASKED = 5;
/** How many menus of a country are opened before it is believed that it shows no stations. */
const MENUS = 6;
/** A state as well, so that a place of that name does not tell the country. */
const STATE_TOO = 'Georgia';

interface Described {
  reply: Reply;
  name: string;
  location: string;
}

async function describe(kit: Kit, id: string): Promise<Described> {
  const { reply, document } = await kit.success(`/Describe.ashx?id=${id}`);
  const object = document.outlines[0]?.object;
  const text = (name: string): string => (object && field(object, name)) ?? '';
  return { reply, name: text('name'), location: text('location') };
}

const listCountries = (kit: Kit): Promise<Answer> => kit.success('/Describe.ashx?c=countries');

interface Placed {
  stationId: string;
  name: string;
  country: WireOutline;
  /** A country where the station is not. */
  other: WireOutline;
}

/** A station that says in which country it is. */
async function placedStation(kit: Kit): Promise<Placed> {
  const { outlines } = (await listCountries(kit)).document;
  for (const station of (await kit.subjects.stations()).slice(0, ASKED)) {
    const stationId = attribute(station, 'guide_id');
    const { name, location } = await describe(kit, stationId);
    const place = location.split(', ').at(-1) ?? '';
    const country = place === STATE_TOO ? undefined : outlines.find((o) => attribute(o, 'text') === place);
    const other = outlines.find((outline) => outline !== country);
    if (country && other && name !== '') return { stationId, name, country, other };
  }
  throw new NotShown('no station was found that says in which country it is');
}

async function expectThere(kit: Kit, stations: readonly WireOutline[], country: WireOutline): Promise<void> {
  const name = attribute(country, 'text');
  for (const station of stations.slice(0, ASKED)) {
    const { reply, location } = await describe(kit, attribute(station, 'guide_id'));
    expect(reply, location.includes(name), `a station in ${name}`, location);
  }
}

/** The first menu with stations in it, of a country's own and those it leads to. */
async function menuWithStations(kit: Kit, path: string): Promise<Answer> {
  let menu = await kit.success(path);
  const waiting = linksIn(menu);
  for (let opened = 1; opened < MENUS && stationsIn(menu).length === 0; opened += 1) {
    const [next] = waiting.splice(0, 1);
    if (!next) break;
    menu = await kit.follow(attribute(next, 'URL'));
    waiting.push(...linksIn(menu));
  }
  expect(menu.reply, stationsIn(menu).length > 0, `stations behind ${path}`, menu.reply.body.toString());
  return menu;
}

/** Specification 4.12: the list of countries, and what their ids are good for. */
export const countryChecks: readonly Check[] = [
  {
    id: '4.12-countries',
    statement: 'c=countries: an outline for every country, with a guide_id',
    run: async (kit) => {
      const answer = await listCountries(kit);
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
    statement: 'the guide_id of a country is usable in Search: what is there is found, and nothing else',
    run: async (kit) => {
      const { stationId, name, country, other } = await placedStation(kit);
      const search = (parameter: string, { attributes }: WireOutline): Promise<Answer> =>
        kit.success(
          `/Search.ashx?query=${encodeURIComponent(name)}&${parameter}=${attributes.get('guide_id') ?? ''}`,
        );
      for (const parameter of ['country', 'countryId']) {
        const answer = await search(parameter, country);
        const ids = guideIds(stationsIn(answer));
        expect(answer.reply, ids.includes(stationId), `${stationId} among the results`, ids.join(', '));
        await expectThere(kit, stationsIn(answer), country);
        const elsewhere = await search(parameter, other);
        const came = guideIds(stationsIn(elsewhere));
        expect(elsewhere.reply, !came.includes(stationId), `no ${stationId}`, came.join(', '));
      }
    },
  },
  {
    id: '4.12-country-browse',
    statement: 'the guide_id of a country is usable in Browse: as id its menu, as filter only what is there',
    run: async (kit) => {
      const { country } = await placedStation(kit);
      const id = attribute(country, 'guide_id');
      const menu = await menuWithStations(kit, `/Browse.ashx?id=${id}`);
      await expectThere(kit, stationsIn(menu), country);
      const genre = await kit.success(`/Browse.ashx?id=${await kit.subjects.genreId()}&filter=${id}`);
      const there = expectSome(genre, `stations in ${attribute(country, 'text')}`, isStation);
      await expectThere(kit, there, country);
    },
  },
];
