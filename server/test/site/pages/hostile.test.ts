import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Pool } from 'pg';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../time/wait-until.ts';
import { type SiteAccount, callApi, makeAccount } from '../browser/account.ts';
import { openPage, settled } from '../browser/every-page.ts';
import { STATION } from '../browser/fill-site.ts';
import { HOSTILE_COUNT, fillHostile } from './fill-hostile.ts';
import { HOSTILE_WORD, hostileText } from './hostile-texts.ts';
import { type Listener, type OpenSite, SITE, openSite } from '../browser/open-site.ts';
import { radioIn } from '../browser/radio.ts';

/** Of each kind; all of them with SITE_HOSTILE_PAGES=1000. */
const OPENED = Number(process.env['SITE_HOSTILE_PAGES'] ?? 20);
const EVE: SiteAccount = {
  username: 'eve',
  email: 'eve-hostile@mail.example',
  password: 'drop table stations 9',
};
const SERIAL = { serial: 'hostile-radio-0666' };

interface Named {
  id: string;
  name: string;
}

/**
 * What a page is made of beside text: its elements, which of them are scripts that run, and attributes that could run.
 * Parsed as a browser does, without running anything.
 */
const MADE_OF = `(text) => {
  const page = new DOMParser().parseFromString(text, 'text/html');
  const all = [...page.querySelectorAll('*')];
  const runs = ({ name, value }) => /^on|^srcdoc$|^style$/i.test(name) || /^\\s*(?:javascript|data):/i.test(value);
  return {
    heading: page.querySelector('h1')?.textContent,
    kinds: [...new Set(all.map(({ localName }) => localName))],
    scripts: page.scripts.length,
    odd: all.flatMap((element) => [...element.attributes].filter(runs).map(({ name, value }) => name + '=' + value)),
  };
}`;
interface MadeOf {
  heading: string;
  kinds: string[];
  scripts: number;
  odd: string[];
}

/** Of the built page, and of facts: the server writes no others. */
const KINDS =
  'html head meta title link script body div svg rect path span main article header img h1 h2 h3 bdi p a section ul li small time noscript'.split(
    ' ',
  );

describe('five hundred hostile names and titles', () => {
  let site: OpenSite;
  let listener: Listener;
  let page: Page;
  let stations: Named[];
  let shows: Named[];
  before(async () => {
    site = await openSite(
      async (pool) => {
        await fillHostile(pool);
        stations = await named(pool, 's', 'SELECT id, name FROM stations WHERE name LIKE $1 ORDER BY id');
        shows = await named(pool, 'p', 'SELECT id, title AS name FROM shows WHERE title LIKE $1 ORDER BY id');
      },
      { env: { CALLS_PER_ADDRESS: '0' } },
    );
    listener = await site.listener();
    ({ page } = listener);
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('are in the directory as they were sent', () => {
    assert.ok(HOSTILE_COUNT >= 500);
    assert.deepEqual([stations.length, shows.length], [300, 40]);
    assert.ok(
      stations.some(({ name }) => name.includes('<script>')),
      'somebody took the sting out of them',
    );
  });

  test('would be noticed if one of them ran, or tried to', async () => {
    await using victim = await site.listener();
    await victim.page.goto(`${SITE}sign-in`);
    await victim.page.evaluate(`try { document.body.innerHTML = '<img src=x onerror=alert(1)>'; } catch {}
      setTimeout(() => alert(2))`);
    await waitUntil('both', async () => victim.complaints.all().length >= 2 || undefined);
    assert.deepEqual(victim.complaints.dialogs, ['2']);
    assert.match(victim.complaints.refused[0] ?? '', /require-trusted-types-for/);
  });

  test('are text in all that the server writes, of every one', async () => {
    // The site's own pages may not parse text as markup.
    await using parser = await site.listener({ bypassCSP: true });
    await parser.page.goto(`${SITE}sign-in`);
    const madeOf = (path: string): Promise<MadeOf> =>
      parser.page.evaluate(`fetch(${JSON.stringify(path)}).then((answer) => answer.text()).then(${MADE_OF})`);
    const lists = ['', 'browse?c=popular', 'browse?id=g1310', 'browse?c=podcast', 'browse?id=r0'];
    const opened = [
      ...stations.flatMap(({ id, name }) => [
        [`/listen/station/${id}`, name] as const,
        [`/embed/${id}`, name] as const,
      ]),
      ...shows.map(({ id, name }) => [`/listen/show/${id}`, name] as const),
      ...lists.map((path) => [`/listen/${path}`, undefined] as const),
    ];
    const usual = await madeOf(`/listen/station/${STATION.id}`);
    for (const [path, name] of opened) {
      const { heading, kinds, scripts, odd } = await madeOf(path);
      if (name !== undefined) assert.equal(asShown(heading), asShown(name), path);
      assert.deepEqual(
        kinds.filter((kind) => kind !== 'button' && !KINDS.includes(kind)),
        [],
        path,
      );
      assert.equal(scripts, path.startsWith('/embed/') ? 1 : usual.scripts, path);
      assert.deepEqual(odd, [], path);
    }
  });

  test('are text on the pages of stations and shows, and in the player', async () => {
    for (const { id, name } of stations.slice(0, OPENED)) {
      assert.equal(await headingOf(page, `station/${id}`), asShown(name));
      await page
        .getByRole('article')
        .getByRole('button', { name: /^Play / })
        .first()
        .click();
      await page.getByRole('region', { name: 'Player' }).waitFor();
      safe(`station ${name}`);
    }
    for (const { id, name } of shows.slice(0, OPENED)) {
      assert.equal(await headingOf(page, `show/${id}`), asShown(name));
      safe(`show ${name}`);
    }
  });

  test('are text in lists, searches, menus, on the map and at home', async () => {
    const paths = [
      '',
      'map',
      'browse?c=local',
      'browse?id=g1310',
      'browse?c=podcast',
      `search?q=${HOSTILE_WORD}`,
      `search?q=${encodeURIComponent(hostileText(1))}`,
      `browse?c=${encodeURIComponent(hostileText(2))}`,
      `station/${encodeURIComponent(hostileText(3))}`,
      encodeURIComponent(hostileText(4)),
      `sign-in?next=${encodeURIComponent('javascript:alert(5)')}`,
      `register?partnerId=${encodeURIComponent(hostileText(6))}`,
    ];
    for (const path of paths) {
      await openPage(page, { path });
      safe(path);
    }
    await openPage(page, { path: `search?q=${HOSTILE_WORD}` });
    assert.ok((await page.getByRole('main').innerText()).includes(HOSTILE_WORD), 'none was found');
  });

  test('are text as folders, presets, radios and files to import', async () => {
    await makeAccount(page, EVE);
    const radio = radioIn(site.served, SERIAL.serial);
    await callApi(page, 'POST', 'radios/pair', { code: await radio.showCode() });
    const made: number[] = [];
    for (const { id } of stations.slice(0, 15))
      made.push((await callApi(page, 'POST', 'presets', { guideId: id })).status);
    for (let n = 0; n < 8; n += 1) {
      const name = hostileText(n).slice(0, 60);
      made.push((await callApi(page, 'POST', 'folders', { name })).status);
      const url = `http://stream.example.net/${n}.mp3?${encodeURIComponent(name)}`;
      made.push((await callApi(page, 'POST', 'presets', { url, name })).status);
    }
    assert.ok(made.filter((status) => status === 201).length > 20, made.join(' '));
    const radios = await callApi(page, 'GET', 'radios');
    const id = /"id":"?([^",]+)/.exec(JSON.stringify(radios.body))?.[1];
    await callApi(page, 'PATCH', `radios/${id}`, { name: hostileText(1).slice(0, 40) });
    for (const path of ['presets', 'radios', 'settings', '']) {
      await openPage(page, { path });
      for (const tab of await page.getByRole('tab').all()) await tab.click();
      for (const summary of await page.locator('main details > summary').all()) await summary.click();
      await settled(page);
      safe(path);
    }
    const refused = await callApi(page, 'POST', 'presets', { url: 'javascript:alert(1)', name: 'x' });
    assert.equal(refused.status, 400);
  });

  function safe(where: string): void {
    assert.deepEqual(listener.complaints.all(), [], where);
  }
});

async function named(pool: Pool, letter: string, sql: string): Promise<Named[]> {
  const { rows } = await pool.query<{ id: number; name: string }>(sql, [`%${HOSTILE_WORD}%`]);
  return rows.map(({ id, name }) => ({ id: `${letter}${id}`, name }));
}

/** Spaces in a row are one on a page. */
const asShown = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const MAX_TRIES = 5;

/** Opened again, as a listener would, where a busy machine did not answer in the second that a page waits. */
async function headingOf(page: Page, path: string): Promise<string> {
  for (let left = MAX_TRIES - 1; ; left -= 1) {
    await openPage(page, { path });
    const heading = await page.getByRole('heading', { level: 1 }).innerText();
    if (left === 0 || heading !== 'Something went wrong') return heading;
  }
}
