import type { Check, Section } from '../../check.ts';
import { expect, deps } from '../../expect.ts';
import {
  expectEvery,
  expectInFormat,
  guideIds,
  linksIn,
  notShown,
  paramsOf,
  stationsIn,
} from '../../expectations.ts';
import type { Kit } from '../../kit.ts';
import { attribute, everyWireOutline } from '../../opml.ts';
import { showFormats } from './show-formats.ts';

/** Every link of three menus says a parameter again. */
async function expectEcho(kit: Kit, name: string, value: string): Promise<void> {
  const genre = await kit.subjects.genreId();
  for (const start of ['c=music', `id=${genre}`, 'id=r0']) {
    const menu = await kit.success(`/Browse.ashx?${start}&${name}=${encodeURIComponent(value)}`);
    expectEvery(
      menu,
      linksIn(menu),
      `${name}=${value} in every link`,
      (link) => paramsOf(link).get(name)?.toLowerCase() === value.toLowerCase(),
    );
  }
}

const echoed = (name: string, value: string): Check => ({
  id: `2.5-${name}`,
  statement: `${name} is accepted and appended to every link`,
  run: (kit) => expectEcho(kit, name, value),
});

const TOGETHER = {
  formats: 'mp3,aac',
  serial: '00-11-22:33',
  locale: 'de',
  username: 'listener1',
  latlon: '51.5,-0.1',
};

/** Every form of Browse, and what else has links. */
async function placesWithLinks({ subjects }: Kit): Promise<string[]> {
  const [station, show, genre] = [
    await subjects.stationId(),
    await subjects.showId(),
    await subjects.genreId(),
  ];
  const classifiers = ['local', 'presets', 'music', 'talk', 'sports', 'world', 'lang', 'podcast'];
  return [
    '/Browse.ashx?',
    ...classifiers.map((c) => `/Browse.ashx?c=${c}&`),
    ...[station, genre, 'r0'].map((id) => `/Browse.ashx?id=${id}&`),
    `/Browse.ashx?c=schedule&id=${station}&forward=true&live=true&`,
    `/Browse.ashx?c=topics&id=${show}&`,
    `/Tune.ashx?c=pbrowse&id=${show}&`,
    `/Tune.ashx?c=ebrowse&id=${station}&`,
    `/Describe.ashx?id=${station}&detail=genre,recommendation&`,
    `/Report.ashx?c=wizard&id=${station}&`,
    '/Search.ashx?query=radio&',
  ];
}

const everywhere: Check = {
  id: '2.5-everywhere',
  statement:
    'all of them together are accepted by every form of Browse, and appended to every link of every answer',
  run: async (kit) => {
    deps(kit.options.partnerId, 'give --partner-id');
    const wanted = Object.entries({ ...TOGETHER, partnerId: kit.options.partnerId });
    const query = new URLSearchParams(TOGETHER).toString();
    for (const place of await placesWithLinks(kit)) {
      const menu = await kit.success(place + query);
      const leading = everyWireOutline(menu.document.outlines).filter((o) =>
        /\.ashx\?/i.test(attribute(o, 'URL')),
      );
      expectEvery(menu, leading, `${query} in the address`, (link) =>
        wanted.every(([name, value]) => paramsOf(link).get(name)?.toLowerCase() === value.toLowerCase()),
      );
    }
  },
};

/** Specification 2.5: global parameters. */
export const globalParameters: Section = {
  id: '2.5',
  title: 'Global parameters',
  checks: [
    {
      id: '2.5-partnerId',
      statement: 'partnerId is accepted and appended to every link',
      run: async (kit) => {
        const { partnerId } = kit.options;
        deps(partnerId, 'give --partner-id');
        for (const start of ['c=music', 'id=r0']) {
          const menu = await kit.success(`/Browse.ashx?${start}`);
          expectEvery(
            menu,
            linksIn(menu),
            `partnerId=${partnerId} in every link`,
            (link) => paramsOf(link).get('partnerId') === partnerId,
          );
        }
      },
    },
    echoed('username', 'listener1'),
    echoed('serial', '00-11-22:33'),
    echoed('formats', 'mp3,aac'),
    echoed('locale', 'de'),
    echoed('latlon', '51.5,-0.1'),
    everywhere,
    {
      id: '2.5-formats-filter',
      statement: 'formats leaves only stations that can be heard in one of them',
      run: async (kit) => {
        const id = await kit.subjects.genreId();
        for (const format of ['mp3', 'aac']) {
          const menu = await kit.success(`/Browse.ashx?id=${id}&formats=${format}`);
          await expectInFormat(kit, menu, format);
        }
      },
    },
    showFormats,
    {
      id: '2.5-locale-wins',
      statement: 'locale, a language with or without a country, overrides the Accept-Language header',
      run: async (kit) => {
        const path = '/Browse.ashx?locale=de';
        const plain = await kit.success(path);
        const other = await kit.success(path, { 'Accept-Language': 'ja' });
        const japanese = await kit.success('/Browse.ashx', { 'Accept-Language': 'ja' });
        const isSame = plain.reply.body.equals(other.reply.body);
        expect(other.reply, isSame, 'the answer of locale=de alone', other.reply.body.toString());
        const austrian = await kit.success('/Browse.ashx?locale=de-AT', { 'Accept-Language': 'ja' });
        expect(austrian.reply, texts(austrian) === texts(plain), texts(plain), texts(austrian));
        const english = await kit.success('/Browse.ashx');
        if (texts(japanese) === texts(english)) notShown('the server answers Accept-Language: ja in English');
      },
    },
    {
      id: '2.5-latlon-local',
      statement: 'latlon targets local radio',
      run: async (kit) => {
        const here = await kit.success('/Browse.ashx?c=local&latlon=51.5,-0.1');
        const there = await kit.success('/Browse.ashx?c=local&latlon=-33.9,151.2');
        const [first, second] = [here, there].map((menu) => guideIds(stationsIn(menu)).join(' '));
        if (first === '' && second === '') notShown('no station was found near London or Sydney');
        expect(there.reply, first !== second, 'another list than for London', second ?? '');
      },
    },
  ],
};

const texts = ({ document }: Awaited<ReturnType<Kit['success']>>): string =>
  document.outlines.map((outline) => attribute(outline, 'text')).join('|');
