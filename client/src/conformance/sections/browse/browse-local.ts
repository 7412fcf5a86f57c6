import type { Section } from '../../check.ts';
import { expect, deps } from '../../expect.ts';
import { expectEvery, expectInFormat, guideIds, notShown, paramsOf, stationsIn } from '../../expectations.ts';
import type { Answer } from '../../answer.ts';
import { attribute, everyWireOutline, isLink } from '../../opml.ts';

const LONDON = 'latlon=51.5,-0.1';
const DUBLIN = 'latlon=53.33,-6.25';
/** An address in England. */
const FORWARDED = '81.2.69.142';

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
        deps(kit.options.username, 'give --username');
        await kit.success(`/Browse.ashx?c=local&username=${encodeURIComponent(kit.options.username)}`);
      },
    },
    {
      id: '4.2-formats',
      statement: 'formats leaves the stations that can be heard in one of them',
      run: async (kit) => {
        const menu = await kit.success(`/Browse.ashx?c=local&${LONDON}&formats=aac`);
        await expectInFormat(kit, menu, 'aac');
      },
    },
    {
      id: '4.2-precedence',
      statement: 'latlon comes before the account, and the account before the address of the caller',
      run: async (kit) => {
        const plain = await kit.success(`/Browse.ashx?c=local&${LONDON}`);
        const { username = 'listener1' } = kit.options;
        const path = `/Browse.ashx?c=local&${LONDON}&username=${encodeURIComponent(username)}`;
        const named = await kit.success(path, { 'X-Forwarded-For': '1.1.1.1' });
        const [expected, came] = [plain, named].map((menu) => guideIds(stationsIn(menu)).join(' '));
        expect(named.reply, expected === came, `the stations near London: ${expected}`, came ?? '');
        const account = `/Browse.ashx?c=local&username=${encodeURIComponent(username)}`;
        const here = await kit.success(account, { 'X-Forwarded-For': '1.1.1.1' });
        const there = await kit.success(account, { 'X-Forwarded-For': FORWARDED });
        if (kit.options.username === undefined) return;
        const isSame = here.reply.body.equals(there.reply.body);
        expect(there.reply, isSame, 'the same from every address', there.reply.body.toString());
      },
    },
    {
      id: '4.2-account',
      statement: 'username gives the stations of the place that the account has',
      run: async (kit) => {
        const { username } = await kit.members.account();
        const own = guideIds(stationsIn(await kit.success(`/Browse.ashx?c=local&username=${username}`)));
        const near = await kit.success(`/Browse.ashx?c=local&${DUBLIN}`);
        const [nearest] = guideIds(stationsIn(near));
        deps(nearest, 'no station was found near Dublin');
        expect(near.reply, own[0] === nearest, `${nearest} first, as near Dublin`, own.join(', '));
      },
    },
    {
      id: '4.2-forwarded',
      statement: 'X-Forwarded-For may name the originating address',
      run: (kit) => kit.success('/Browse.ashx?c=local', { 'X-Forwarded-For': FORWARDED }),
    },
    {
      id: '4.2-address',
      statement: 'without latlon and username the address decides, as X-Forwarded-For names it',
      run: async (kit) => {
        const from = (address: string): Promise<Answer> =>
          kit.success('/Browse.ashx?c=local', { 'X-Forwarded-For': address });
        const [here, there] = [await from(FORWARDED), await from('1.1.1.1')];
        if (here.reply.body.equals(there.reply.body))
          notShown('the server does not know where 81.2.69.142 and 1.1.1.1 are');
        expect(here.reply, stationsIn(here).length > 0, 'stations', 'none');
      },
    },
    {
      id: '4.2-output',
      statement: 'the output is stations, and links to the places within',
      run: async (kit) => {
        for (const path of ['/Browse.ashx?c=local', `/Browse.ashx?c=local&${LONDON}`]) {
          const menu = await kit.success(path);
          const lines = everyWireOutline(menu.document.outlines).filter((o) => o.attributes.has('URL'));
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
        const places = everyWireOutline(menu.document.outlines).filter((o) =>
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
