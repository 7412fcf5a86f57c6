import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Pool } from 'pg';
import { importStations } from '../../../src/import/pipeline/import-stations.ts';
import { readRadioBrowser } from '../../../src/import/sources/radio-browser/record.ts';
import { uuidOf } from '../../../src/lib/ids.ts';
import { waitUntil } from '../../time/wait-until.ts';
import { fillSite } from '../browser/fill-site.ts';
import { type Listener, type OpenSite, SITE, openSite } from '../browser/open-site.ts';

/** Names with no word in common: stations that share one are taken for a network. */
const FIRST = ['Ba', 'De', 'Fi', 'Go', 'Hu', 'Ka', 'Le', 'Mi', 'No', 'Ru'];
const LAST = [
  'bantu',
  'corvin',
  'dustra',
  'farrow',
  'gellis',
  'hovend',
  'julmar',
  'kestro',
  'lomvik',
  'nardis',
  'pellow',
];

/** 110 stations of one town, of two kinds and three qualities. */
const STATIONS = FIRST.flatMap((first, one) =>
  LAST.map((last, other) => ({
    name: `${first}${last}`,
    bitrate: [64, 128, 192][(one + other) % 3] ?? 0,
    tag: other % 4 === 0 ? 'news' : 'jazz',
    votes: 5000 - one * 100 - other,
  })),
);

let database: Pool;

async function fill(pool: Pool): Promise<void> {
  database = pool;
  await fillSite(pool);
  const lines = STATIONS.map(({ name, bitrate, tag, votes }) => {
    const host = `${name.toLowerCase()}.example.org`;
    const url = `http://${host}/live`;
    const record = {
      id: uuidOf(url),
      id_src: 'derived',
      name,
      url,
      homepage: `http://${host}/`,
      countrycode: 'DE',
      city: 'Hamburg',
      languages: ['de'],
      tags: [tag],
      codec: 'MP3',
      bitrate,
      hls: 0,
      votes,
      lastcheckok: 1,
    };
    return Buffer.from(`${JSON.stringify(record)}\n`);
  });
  await importStations({ pool, source: 'many', items: readRadioBrowser(Readable.from(lines)) });
}

const rows = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Play / });
const countText = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /^Stations: / });
const shownCount = async (page: Page): Promise<number> =>
  Number(/\d[\d,]*/.exec((await countText(page).textContent()) ?? '')?.[0].replaceAll(',', ''));
/** Of an option: its text, and the count in it. */
async function optionOf(page: Page, filter: string, text: RegExp): Promise<{ text: string; count: number }> {
  const texts = await page.getByRole('main').getByLabel(filter).locator('option').allTextContents();
  const found = texts.find((option) => text.test(option)) ?? assert.fail(texts.join(' | '));
  return { text: found, count: Number(/\((\d+)\)$/.exec(found)?.[1]) };
}

describe('browsing and searching', () => {
  let site: OpenSite;
  let listener: Listener;
  before(async () => {
    site = await openSite(fill);
    listener = await site.listener();
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('every step to a town shows its stations at once, the most popular first, with the way further in', async () => {
    const { page } = listener;
    await page.goto(`${SITE}browse?id=r0`);
    for (const step of ['Europe', 'Germany', 'Hamburg']) {
      const ways = page.getByRole('navigation', { name: 'Explore' });
      await ways.getByRole('link', { name: step, exact: true }).click();
      await page.getByRole('heading', { name: step, level: 1 }).waitFor();
      await rows(page).nth(40).waitFor();
      assert.ok((await shownCount(page)) >= STATIONS.length, step);
    }
    assert.equal(await rows(page).first().getAttribute('aria-label'), `Play ${STATIONS[0]?.name}`);
  });

  test('the next page follows by a button, and the keyboard is at its first station', async () => {
    const { page } = listener;
    assert.equal(await rows(page).count(), 50);
    await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
    await rows(page).nth(99).waitFor();
    const focused = await page.evaluate<string>('document.activeElement.textContent');
    assert.equal(focused, STATIONS[50]?.name);
  });

  test('a filter leaves as many as it says, is in the address and survives a reload', async () => {
    const { page } = listener;
    const { text, count } = await optionOf(page, 'Quality', /192/);
    const all = await shownCount(page);
    assert.ok(count >= STATIONS.filter(({ bitrate }) => bitrate === 192).length && count < all);
    await page.getByLabel('Quality').selectOption({ label: text });
    await countText(page)
      .filter({ hasText: `Stations: ${count}` })
      .waitFor();
    assert.match(page.url(), /only-quality=192/);
    const kind = await optionOf(page, 'Kind', /^Jazz/);
    await page.getByLabel('Kind').selectOption({ label: kind.text });
    await countText(page)
      .filter({ hasText: `Stations: ${kind.count}` })
      .waitFor();
    assert.equal(await rows(page).count(), Math.min(50, kind.count));
    await page.reload();
    await countText(page)
      .filter({ hasText: `Stations: ${kind.count}` })
      .waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await countText(page)
      .filter({ hasText: `Stations: ${all}` })
      .waitFor();
    assert.doesNotMatch(page.url(), /only-/);
  });

  test('going back finds the list as long as it was left, at its place', async () => {
    const { page } = listener;
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await rows(page).nth(99).waitFor();
    const link = page.getByRole('main').getByRole('link', { name: STATIONS[80]?.name ?? '', exact: true });
    await link.scrollIntoViewIfNeeded();
    const left = await page.evaluate<number>('scrollY');
    assert.ok(left > 500, `${left}`);
    await link.click();
    await page.getByRole('heading', { name: STATIONS[80]?.name ?? '', level: 1 }).waitFor();
    await page.goBack();
    await link.waitFor();
    assert.equal(await rows(page).count(), 100);
    await waitUntil('the place in the list', async () => {
      const now = await page.evaluate<number>('scrollY');
      return Math.abs(now - left) < 100 || undefined;
    });
  });

  test('a new page begins at its top, also after a way back within the menus or past the header', async () => {
    const { page } = listener;
    const openStation = async (): Promise<void> => {
      const { name = '' } = STATIONS[40] ?? {};
      const link = page.getByRole('main').getByRole('link', { name, exact: true });
      await link.scrollIntoViewIfNeeded();
      assert.ok((await page.evaluate<number>('scrollY')) > 300);
      await link.click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await waitUntil('the top of the page', () => page.evaluate<boolean>('scrollY === 0 || undefined'));
    };
    await page.goto(`${SITE}browse?id=r0`);
    const ways = page.getByRole('navigation', { name: 'Explore' });
    for (const step of ['Europe', 'Germany', 'Hamburg']) {
      await ways.getByRole('link', { name: step, exact: true }).click();
      await page.getByRole('heading', { name: step, level: 1 }).waitFor();
    }
    await page.goBack();
    await page.getByRole('heading', { name: 'Germany', level: 1 }).waitFor();
    await openStation();
    await page.goBack();
    await rows(page).nth(40).waitFor();
    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await openStation();
  });

  test('text that is selected past the edge of a dialog does not close it, a press beside it does', async () => {
    const { page } = listener;
    await page.goto(SITE);
    await page.getByRole('button', { name: 'Change place' }).click();
    const dialog = page.getByRole('dialog', { name: 'Where are you?' });
    const field = dialog.getByRole('textbox');
    await field.fill('Hamburg');
    const box = await field.boundingBox();
    assert.ok(box);
    const middle = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width / 2, middle);
    await page.mouse.down();
    await page.mouse.move(5, middle, { steps: 5 });
    await page.mouse.up();
    assert.equal(await field.inputValue(), 'Hamburg');
    await page.mouse.click(5, middle);
    await dialog.waitFor({ state: 'detached' });
  });

  test('a page that nobody sees takes no connection for its songs, and has them again when it is seen', async () => {
    await using other = await site.listener();
    const { page } = other;
    await page.addInitScript(`{
      const { EventSource } = window;
      const all = [];
      window.EventSource = class extends EventSource {
        constructor(address) { super(address); all.push(this); }
      };
      window.open_streams = () => all.filter(({ readyState }) => readyState !== EventSource.CLOSED).length;
      window.see = (isSeen) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => !isSeen });
        document.dispatchEvent(new Event('visibilitychange'));
      };
    }`);
    const untilOpen = (count: number) =>
      waitUntil(
        `${count} streams of songs`,
        async () => (await page.evaluate<number>('open_streams()')) === count || undefined,
      );
    await page.goto(SITE);
    await untilOpen(1);
    await page.evaluate('see(false)');
    await untilOpen(0);
    await page.evaluate('see(true)');
    await untilOpen(1);
  });

  test('songs of many stations that were refused are asked for again after a minute', async () => {
    await using other = await site.listener();
    const { page } = other;
    await page.clock.install();
    let asked = 0;
    await page.route(/\/listen\/api\/playing\?ids=\w+,/, (route) => {
      asked += 1;
      return asked === 1 ? route.fulfill({ status: 503, body: '' }) : route.continue();
    });
    const areAsked = (times: number) =>
      waitUntil(`songs are asked for ${times} times`, async () => asked === times || undefined);
    await page.goto(SITE);
    await areAsked(1);
    await page.clock.fastForward('00:40');
    assert.equal(asked, 1);
    await page.clock.fastForward('00:20');
    await areAsked(2);
  });

  test('a search says how many there are, and shows all of them', async () => {
    const { page } = listener;
    await page.goto(`${SITE}search?q=hamburg`);
    const link = page.getByRole('main').getByRole('link', { name: /^Show all: \d+$/ });
    const total = Number(/\d+/.exec((await link.textContent()) ?? '')?.[0]);
    assert.ok(total >= STATIONS.length, `${total}`);
    await link.click();
    await countText(page)
      .filter({ hasText: `Stations: ${total}` })
      .waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await rows(page).nth(99).waitFor();
    const { text, count } = await optionOf(page, 'Kind', /^News/);
    assert.ok(count >= STATIONS.filter(({ tag }) => tag === 'news').length);
    await page.getByLabel('Kind').selectOption({ label: text });
    await countText(page)
      .filter({ hasText: `Stations: ${count}` })
      .waitFor();
    assert.match(page.url(), /q=hamburg.*only-kind=news/);
    assert.deepEqual(listener.complaints.all(), []);
  });

  test('a search that finds nothing leads to a suggestion, and its outcome is told', async () => {
    const { page } = listener;
    await page.goto(`${SITE}search?q=zzzquayradio`);
    await page.getByText('Nothing found for').waitFor();
    await page.getByRole('link', { name: 'Suggest a station' }).click();
    await page.getByRole('heading', { name: 'Suggest a station', level: 1 }).waitFor();
    assert.equal(await page.getByLabel('Name of the station').inputValue(), 'zzzquayradio');
    const address = page.getByLabel('Stream address');
    const send = page.getByRole('button', { name: 'Suggest', exact: true });
    await address.fill('http://192.168.1.1/live');
    await send.click();
    await page.getByText('Enter a public stream address').waitFor();
    await address.fill(`http://${STATIONS[3]?.name.toLowerCase()}.example.org/live`);
    await send.click();
    await page.getByText('This station is already listed:').waitFor();
    await address.fill('http://quay-radio.example.net/live');
    await send.click();
    await page.getByText('Listening to the stream').waitFor();
    // As the worker does when it hears it.
    await database.query("UPDATE suggestions SET state = 'heard'");
    await page.getByText('We heard it. Thank you!').waitFor();
    await page.reload();
    await page.getByText('We heard it. Thank you!').waitFor();
    assert.deepEqual(listener.complaints.all(), []);
  });
});
