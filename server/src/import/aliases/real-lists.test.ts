import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Pool } from 'pg';
import { poolOf } from '../../../test/database/database-server.ts';
import { type ListedStation, listedStations } from '../../../test/content/foreign-lists.ts';
import { realDatabase } from '../../../test/database/made-databases.ts';
import { withoutRealData } from '../../../test/content/real-data.ts';
import { formatOf, readList } from '../../formats/station-list/read-list.ts';
import { planAliases } from './plan-aliases.ts';

/** Lists as programs write them, each of 200 real stations spelt in many ways, and 20 that are in no directory. */
const COUNT = 200;
const STRANGERS = 20;

let pool: Pool;
before(async () => {
  if (!withoutRealData) pool = poolOf(await realDatabase(), 4);
});
after(() => pool?.end());

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const oneLine = (text: string): string => text.replaceAll(/[\r\n\t]+/g, ' ').trim();
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const tune = (id: string): string =>
  `http://opml.radiotime.com/Tune.ashx?id=${id}&formats=aac,ogg,mp3&partnerId=16`;

interface Kind {
  name: string;
  format: ReturnType<typeof formatOf>;
  write: (list: readonly ListedStation[]) => string;
  /** A list that has names only is of stations of one country, which the operator says. */
  country?: string;
}

const KINDS: readonly Kind[] = [
  {
    name: 'Presets.xml of Bose',
    format: 'bose',
    country: 'GB',
    write: (list) =>
      `<?xml version="1.0" encoding="UTF-8" ?><presets>${list
        .map(
          ({ guideId, name }, at) =>
            `<preset id="${(at % 6) + 1}" createdOn="1500000000"><ContentItem source="TUNEIN" type="stationurl" location="/v1/playback/station/${guideId}" sourceAccount="" isPresetable="true"><itemName>${xml(name)}</itemName><containerArt>http://cdn-radiotime-logos.tunein.com/${guideId}q.png</containerArt></ContentItem></preset>`,
        )
        .join('')}</presets>`,
  },
  {
    name: 'favorites.opml of Lyrion',
    format: 'opml',
    country: 'US',
    write: (list) =>
      `<?xml version="1.0" encoding="UTF-8"?><opml version="1.0"><head title="Favorites"><expansionState></expansionState></head><body>${list
        .map(
          ({ guideId, name }) =>
            `<outline URL="${xml(tune(guideId))}" icon="http://cdn/${guideId}.png" text="${xml(name)}" type="audio"/>`,
        )
        .join('')}</body></opml>`,
  },
  {
    name: 'PLS of Tune links',
    format: 'pls',
    country: 'CA',
    write: (list) =>
      `[playlist]\n${list.map(({ guideId, name }, at) => `File${at + 1}=${tune(guideId)}\nTitle${at + 1}=${oneLine(name)}`).join('\n')}\n`,
  },
  {
    name: 'stations.yml of YCast',
    format: 'yaml',
    write: (list) =>
      `# mine\nEverything:\n${list.map(({ name, address }) => `  '${oneLine(name).replaceAll("'", "''")}': ${address}`).join('\n')}\n`,
  },
  {
    name: 'stations.ini of YTuner',
    format: 'ini',
    write: (list) =>
      `[Everything]\n${list.map(({ name, address }, at) => `${oneLine(name).replaceAll('=', '-')}=${address}${at % 2 ? '|http://logo.example/x.png' : ''}`).join('\n')}\n`,
  },
  {
    name: 'favourites of RadioDroid, JSON',
    format: 'json',
    write: (list) =>
      JSON.stringify(
        list.map(({ uuid, name, address, countryCode }) => ({
          stationuuid: uuid,
          name,
          url: address,
          countrycode: countryCode,
          country: '',
          tags: 'a,b',
          votes: 1,
        })),
      ),
  },
  {
    name: 'favourites of RadioDroid, M3U',
    format: 'm3u',
    write: (list) =>
      `#EXTM3U\n${list.map(({ uuid, name, address }) => `#RADIOBROWSERUUID:${uuid}\n#EXTINF:-1,${oneLine(name)}\n${address}\n\n`).join('')}`,
  },
  {
    name: 'M3U with tvg-id',
    format: 'm3u',
    write: (list) =>
      `#EXTM3U\n${list.map(({ guideId, name, address, countryCode }) => `#EXTINF:-1 tvg-id="tunein:station:${guideId}" tvg-country="${countryCode}",${oneLine(name)}\n${address}\n`).join('')}`,
  },
  {
    name: 'OPML with guide_id',
    format: 'opml',
    write: (list) =>
      `<opml version="2.0"><body>${list.map(({ guideId, name, address }) => `<outline type="audio" text="${xml(name)}" URL="${xml(address)}" guide_id="${guideId}"/>`).join('')}</body></opml>`,
  },
  {
    name: 'CSV with ids',
    format: 'csv',
    write: (list) =>
      `name,url,id,country\n${list.map(({ guideId, name, address, countryCode }) => [name, address, guideId, countryCode].map(cell).join(',')).join('\n')}\n`,
  },
];

const stranger = (n: number, countryCode: string): ListedStation => ({
  guideId: `s${900_000 + n}`,
  uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  name: `Nowhere Nobody Radio ${n}`,
  address: `http://nowhere-${n}.radio-haven.net:8000/live`,
  countryCode,
  stationId: 0,
});

for (const [at, { name, format, write, country }] of KINDS.entries())
  test(
    `${name}: nearly all of 200 real stations are matched, and none wrongly`,
    { skip: withoutRealData },
    async (t) => {
      const real = await listedStations(pool, {
        count: COUNT,
        offset: 17 * (at + 1),
        ...(country !== undefined && { namedIn: country }),
      });
      const strangers = Array.from({ length: STRANGERS }, (_, n) => stranger(n, country ?? 'DE'));
      const text = write([...real, ...strangers]);
      assert.equal(formatOf(text), format);
      const entries = await readList(text, format, 1000);
      assert.equal(entries.length, COUNT + STRANGERS);
      const { aliases } = await planAliases(pool, entries, { country });
      const planned = new Map(aliases.map((alias) => [`${alias.scheme} ${alias.id}`, alias]));
      const outcomes = { right: 0, wrong: 0, refused: 0 };
      for (const [index, { foreign, name: called = '' }] of entries.entries()) {
        const stationId = real[index]?.stationId;
        assert.ok(foreign.length > 0, `no id in ${called}`);
        // YCast and YTuner both give an id to a line.
        const found = new Set(foreign.map(({ scheme, id }) => planned.get(`${scheme} ${id}`)?.station?.id));
        if (found.has(undefined)) outcomes.refused += 1;
        else if (found.size === 1 && found.has(stationId)) outcomes.right += 1;
        else outcomes.wrong += 1;
        if (stationId === undefined) assert.ok(found.has(undefined) && found.size === 1, called);
      }
      t.diagnostic(JSON.stringify(outcomes));
      assert.equal(outcomes.wrong, 0);
      assert.ok(outcomes.right >= 0.95 * COUNT, `${outcomes.right} of ${COUNT}`);
      assert.ok(outcomes.refused >= STRANGERS);
    },
  );

/** One list of 200 says little of a country: those whose popular stations were entered twice are just above the limit. */
for (const country of ['GB', 'US', 'CA', 'FR', 'DE', 'IT', 'ES', 'NL', 'AU', 'BR'])
  test(`by name alone, of a thousand in ${country}`, { skip: withoutRealData }, async (t) => {
    const listed = await listedStations(pool, { count: 1000, offset: 5, namedIn: country });
    const entries = listed.map(({ guideId, name }) => ({
      address: '',
      name,
      id: guideId,
      foreign: [{ scheme: 'tunein', id: guideId }],
      country,
      folder: undefined,
      number: undefined,
    }));
    const { aliases } = await planAliases(pool, entries);
    const found = new Map(aliases.map(({ id, station }) => [id, station?.id]));
    const right = listed.filter(({ guideId, stationId }) => found.get(guideId) === stationId).length;
    const matched = listed.filter(({ guideId }) => found.get(guideId) !== undefined).length;
    t.diagnostic(`${right} right, ${matched - right} wrong`);
    assert.equal(matched, right);
    assert.ok(right >= 950, `${right}`);
  });
