import { expect, needs, type Section } from '../check.ts';
import { expectEvery, guideIds, notShown, paramsOf, stationsIn } from '../expectations.ts';
import { attribute, everyOutline, isLink } from '../opml.ts';

const LONDON = 'latlon=51.5,-0.1';

/** Specification 4.2: browse local. */
export const browseLocal: Section = {
  id: '4.2',
  title: 'Browse local',
  checks: [
    {
      id: '4.2-c',
      statement: 'c=local answers whoever asks',
      run: (kit) => kit.success('/Browse.ashx?c=local'),
    },
    {
      id: '4.2-latlon',
      statement: 'latlon gives the stations near the coordinate',
      run: async (kit) => {
        const menu = await kit.success(`/Browse.ashx?c=local&${LONDON}`);
        if (stationsIn(menu).length === 0) notShown('no station was found near London');
      },
    },
    {
      id: '4.2-username',
      statement: 'username uses the location of the account',
      run: async (kit) => {
        needs(kit.options.username, 'give --username');
        await kit.success(`/Browse.ashx?c=local&username=${encodeURIComponent(kit.options.username)}`);
      },
    },
    {
      id: '4.2-formats',
      statement: 'formats filters the stations',
      run: async (kit) => {
        const menu = await kit.success(`/Browse.ashx?c=local&${LONDON}&formats=aac`);
        const known = stationsIn(menu).filter((station) => station.attributes.has('formats'));
        expectEvery(menu, known, 'stations that have aac', (station) =>
          attribute(station, 'formats').split(',').includes('aac'),
        );
      },
    },
    {
      id: '4.2-precedence',
      statement: 'latlon comes before the account and before the address of the caller',
      run: async (kit) => {
        const plain = await kit.success(`/Browse.ashx?c=local&${LONDON}`);
        const { username = 'listener1' } = kit.options;
        const path = `/Browse.ashx?c=local&${LONDON}&username=${encodeURIComponent(username)}`;
        const named = await kit.success(path, { 'X-Forwarded-For': '1.1.1.1' });
        const [expected, came] = [plain, named].map((menu) => guideIds(stationsIn(menu)).join(' '));
        expect(named.reply, expected === came, `the stations near London: ${expected}`, came ?? '');
      },
    },
    {
      id: '4.2-forwarded',
      statement: 'X-Forwarded-For may name the originating address',
      run: (kit) => kit.success('/Browse.ashx?c=local', { 'X-Forwarded-For': '81.2.69.142' }),
    },
    {
      id: '4.2-output',
      statement: 'the output is stations, and links to the places within',
      run: async (kit) => {
        for (const path of ['/Browse.ashx?c=local', `/Browse.ashx?c=local&${LONDON}`]) {
          const menu = await kit.success(path);
          const lines = everyOutline(menu.document.outlines).filter((o) => o.attributes.has('URL'));
          expectEvery(
            menu,
            lines,
            'a station or a link to a place',
            (o) => attribute(o, 'item') === 'station' || isLink(o),
          );
        }
      },
    },
    {
      id: '4.2-sub-locations',
      statement: 'sub-locations are link outlines',
      run: async (kit) => {
        const menu = await kit.success('/Browse.ashx?c=local');
        const places = everyOutline(menu.document.outlines).filter((o) =>
          /^r\d+$/.test(attribute(o, 'guide_id')),
        );
        if (places.length === 0) notShown('this caller stands at a place without sub-locations');
        expectEvery(
          menu,
          places,
          'type="link" and id=r… in its URL',
          (o) => isLink(o) && (paramsOf(o).get('id') ?? '').startsWith('r'),
        );
      },
    },
  ],
};
