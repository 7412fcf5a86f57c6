import type { Check } from '../check.ts';
import { expect, deps, NotShown } from '../expect.ts';
import { expectEvery, expectPlaylist, expectSome, linksIn, paramsOf, someMenus } from '../expectations.ts';
import { addressOf, isItem, pathOf } from '../answer.ts';
import type { Kit } from '../kit.ts';
import { attribute, everyWireOutline } from '../opml.ts';

const LEADING = new Set(['link', 'audio']);
const GLOBALS = {
  formats: 'mp3,aac',
  serial: '00-11:22',
  locale: 'en',
  username: 'listener1',
  latlon: '51.5,-0.1',
};
const UNTOLD = ['render', 'callback', 'password'];

async function expectGlobals(kit: Kit, start: string): Promise<void> {
  const query = Object.entries(GLOBALS).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const menu = await kit.success(`/Browse.ashx?${start}&${query.join('&')}&render=xml`);
  const leading = everyWireOutline(menu.document.outlines).filter((o) => LEADING.has(attribute(o, 'type')));
  expectEvery(menu, leading, `${Object.keys(GLOBALS).join(', ')} in every link`, (link) =>
    Object.entries(GLOBALS).every(([name, value]) => paramsOf(link).get(name) === value),
  );
  expectEvery(menu, leading, `no ${UNTOLD.join(', ')} in a link`, (link) =>
    UNTOLD.every((name) => !paramsOf(link).has(name)),
  );
}

/** How many genres are opened in search of one with more stations than a group holds. */
const GENRES = 40;

/** A group that goes on does so by its last line, and that leads to more. */
async function expectPaging(kit: Kit, groupKey: string, nextKey: string, words: string): Promise<void> {
  const music = await kit.follow(await kit.subjects.entry('music'));
  for (const link of linksIn(music).slice(-GENRES)) {
    const menu = await kit.follow(attribute(link, 'URL'));
    const group = menu.document.outlines.find((o) => attribute(o, 'key') === groupKey);
    const next = group?.children.find((o) => attribute(o, 'key') === nextKey);
    if (!group || !next) continue;
    const holds = group.children.at(-1) === next && attribute(next, 'text') === words;
    expect(menu.reply, holds, `${words} as the last line of the group`, attribute(next, 'text'));
    expectSome(await kit.follow(attribute(next, 'URL')), `more ${groupKey}`, (o) =>
      o.attributes.has('guide_id'),
    );
    return;
  }
  throw new NotShown(`no genre with more ${groupKey} than a group holds was found`);
}

export const menuRules: readonly Check[] = [
  {
    id: 'rule-12',
    statement: 'every index entry has a key and a type, By Location too',
    run: async ({ subjects }) => {
      const index = await subjects.index();
      expectEvery(
        index,
        index.document.outlines,
        'type and key',
        (o) => attribute(o, 'type') !== '' && attribute(o, 'key') !== '',
      );
    },
  },
  {
    id: 'rule-17',
    statement: 'links repeat the global parameters, never render, callback or password',
    run: async (kit) => {
      for (const start of ['c=music', 'id=r0', `id=${await kit.subjects.genreId()}`])
        await expectGlobals(kit, start);
    },
  },
  {
    id: 'rule-18',
    statement: 'links lead to the host that was asked for, by plain http',
    run: async (kit) => {
      const { host, protocol } = new URL(kit.options.baseUrl);
      for (const menu of await someMenus(kit)) {
        const own = everyWireOutline(menu.document.outlines).filter((o) =>
          /\.ashx\?/i.test(attribute(o, 'URL')),
        );
        expectEvery(
          menu,
          own,
          `links to ${protocol}//${host}`,
          (o) => addressOf(attribute(o, 'URL')).host === host && attribute(o, 'URL').startsWith(protocol),
        );
      }
    },
  },
  {
    id: 'rule-19',
    statement: 'a list goes on by a last line of key nextStations, text More Stations',
    run: (kit) => expectPaging(kit, 'stations', 'nextStations', 'More Stations'),
  },
  {
    id: 'rule-19-shows',
    statement: 'a list of shows goes on by a last line of key nextShows, text More Shows',
    run: (kit) => expectPaging(kit, 'shows', 'nextShows', 'More Shows'),
  },
  {
    id: 'rule-20',
    statement: 'c=ebrowse gives listening options, each a Tune link to one stream',
    run: async (kit) => {
      const id = await kit.subjects.stationId();
      const options = await kit.success(`/Tune.ashx?id=${id}&c=ebrowse`);
      const streams = expectSome(options, 'streams of type audio', (o) => attribute(o, 'type') === 'audio');
      expectEvery(
        options,
        streams,
        `Tune.ashx?id=e…&sid=${id}`,
        (o) => /^e\d+$/.test(paramsOf(o).get('id') ?? '') && paramsOf(o).get('sid') === id,
      );
      expectPlaylist(await kit.get(pathOf(attribute(streams[0], 'URL'))));
    },
  },
  {
    id: 'rule-21',
    statement: 'c=presets&options=recurse:tuneShows gives containers, one of them the default',
    run: async (kit) => {
      const { partnerId, username } = kit.options;
      deps(partnerId, 'give --partner-id and --username');
      deps(username, 'give --partner-id and --username');
      const menu = await kit.success(
        `/Browse.ashx?c=presets&options=recurse:tuneShows&username=${encodeURIComponent(username)}`,
      );
      const containers = expectSome(menu, 'containers', (o) => attribute(o, 'type') === 'container');
      const defaults = containers.filter((o) => attribute(o, 'is_default') === 'true');
      expect(menu.reply, defaults.length === 1, 'one is_default="true"', String(defaults.length));
    },
  },
  {
    id: 'rule-22',
    statement: 'c=composite&detail=listing gives a group listing whose children are station objects',
    run: async (kit) => {
      const id = await kit.subjects.stationId();
      const { reply, body } = await kit.json(`/Describe.ashx?c=composite&detail=listing&id=${id}`);
      const [group] = body;
      const children: unknown = group?.['children'];
      const first: unknown = Array.isArray(children) ? children[0] : undefined;
      const holds = group?.['key'] === 'listing' && isItem(first) && first['element'] === 'station';
      expect(reply, holds, 'a group of key listing with a station in it', JSON.stringify(body));
      const missing = ['guide_id', 'preset_id', 'name', 'slogan', 'logo'].filter((name) => !(name in first));
      expect(
        reply,
        missing.length === 0,
        'guide_id, preset_id, name, slogan, logo',
        `no ${missing.join(', ')}`,
      );
    },
  },
  {
    id: 'rule-23',
    statement: 'c=formats and c=genres are lists of text lines with guide_id',
    run: async (kit) => {
      for (const c of ['formats', 'genres']) {
        const list = await kit.success(`/Describe.ashx?c=${c}`);
        expect(list.reply, list.document.outlines.length > 0, 'a list', 'an empty body');
        expectEvery(
          list,
          list.document.outlines,
          'type="text" and guide_id',
          (o) => attribute(o, 'type') === 'text' && attribute(o, 'guide_id') !== '',
        );
      }
    },
  },
  {
    id: 'rule-24',
    statement: 'now playing: key="station" first, two text lines at least, Cache-Control: private, max-age=N',
    run: async (kit) => {
      const { reply, document } = await kit.success(
        `/Describe.ashx?c=nowplaying&id=${await kit.subjects.stationId()}`,
      );
      const lines = document.outlines.filter((o) => attribute(o, 'type') === 'text');
      const isFirst = document.outlines[0]?.attributes.get('key') === 'station';
      expect(reply, isFirst && lines.length >= 2, 'the station and a second line', reply.body.toString());
      const lifetime = reply.headers['cache-control'] ?? 'no header';
      expect(reply, /private, max-age=\d+/.test(lifetime), 'private, max-age=N', lifetime);
    },
  },
];
