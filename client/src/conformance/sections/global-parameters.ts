import { expect, needs, type Check, type Section } from '../check.ts';
import { expectEvery, guideIds, linksIn, notShown, paramsOf, stationsIn } from '../expectations.ts';
import type { Kit } from '../kit.ts';
import { attribute } from '../opml.ts';

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
        needs(partnerId, 'give --partner-id');
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
    {
      id: '2.5-formats-filter',
      statement: 'formats leaves only stations that have a stream in one of them',
      run: async (kit) => {
        const id = await kit.subjects.genreId();
        for (const format of ['mp3', 'aac']) {
          const menu = await kit.success(`/Browse.ashx?id=${id}&formats=${format}`);
          const known = stationsIn(menu).filter((station) => station.attributes.has('formats'));
          expectEvery(menu, known, `stations that have ${format}`, (station) =>
            attribute(station, 'formats').split(',').includes(format),
          );
        }
      },
    },
    {
      id: '2.5-locale-wins',
      statement: 'locale overrides the Accept-Language header',
      run: async (kit) => {
        const path = '/Browse.ashx?locale=de';
        const plain = await kit.success(path);
        const other = await kit.success(path, { 'Accept-Language': 'ja' });
        const japanese = await kit.success('/Browse.ashx', { 'Accept-Language': 'ja' });
        const isSame = plain.reply.body.equals(other.reply.body);
        expect(other.reply, isSame, 'the answer of locale=de alone', other.reply.body.toString());
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
