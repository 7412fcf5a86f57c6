import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../time/wait-until.ts';
import { STATIONS, type StationName } from '../../streams/stations.ts';
import { type Listener, type OpenSite, PLAIN_SITE, SITE, openHeardSite } from '../browser/open-site.ts';
import { hasStatus, isPlaying, player } from '../browser/player.ts';
import { addSilentStation } from './silent-stream.ts';
import { assertAudible, installMeter, interruptions, listen, position } from '../browser/sound-meter.ts';

/** By what a listener is promised, from the click until something else is heard. */
const NEXT_STREAM_MS = 5000;
const KINDS: Readonly<Record<string, StationName>> = {
  MP3: 'Plain Harbour',
  'Ogg Vorbis': 'Vorbis Harbour',
  'Ogg Opus': 'Opus Harbour',
  HLS: 'Segment Harbour',
  AAC: 'Advanced Harbour',
};

/** Which station's stream at an address listeners reported. */
const REPORTED = `SELECT 's' || station_id AS station FROM reports r JOIN streams ON streams.id = r.item_id
  WHERE r.kind = 'stream' AND r.item_kind = 'e' AND r.address = $1`;

describe('the site plays', () => {
  let site: Awaited<ReturnType<typeof openHeardSite>>;
  let listener: Listener;
  let page: Page;
  before(async () => {
    site = await openHeardSite();
    listener = await open(site, PLAIN_SITE);
    ({ page } = listener);
  });
  after(() => site?.[Symbol.asyncDispose]());

  for (const [kind, name] of Object.entries(KINDS))
    test(`a station that sends ${kind}, found by searching for it`, async () => {
      await page.getByRole('searchbox').fill(name);
      // The page before it may list the same station, even more than once.
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await page.getByRole('main').getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
      await page
        .getByRole('article')
        .getByRole('button', { name: `Play ${name}` })
        .click();
      await isPlaying(page);
      assertAudible(await listen(page), kind);
      assert.match(await player(page).innerText(), new RegExp(name));
    });

  test('nothing is heard any more after a pause', async () => {
    await player(page).getByRole('button', { name: 'Pause' }).click();
    await listen(page, 300);
    const { seconds, peak } = await listen(page, 500);
    assert.ok(seconds === 0 && peak < 0.001, `${seconds} s at ${peak} were heard`);
  });

  test('on through three pages without a gap', async () => {
    await page.goto(`${PLAIN_SITE}station/${site.farm.idOf('Plain Harbour')}`);
    await page.getByRole('article').getByRole('button', { name: 'Play Plain Harbour' }).click();
    await isPlaying(page);
    await listen(page, 500);
    await interruptions(page);
    const from = { at: performance.now(), position: await position(page) };
    for (const name of ['Browse', 'Map', 'Presets']) {
      await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name }).first().click();
      // The map writes what is seen behind its address, as soon as it is drawn.
      await page.waitForURL(({ pathname }) => pathname === `/listen/${name.toLowerCase()}`);
      assertAudible(await listen(page, 800), name);
    }
    assert.deepEqual(await interruptions(page), []);
    const heard = (await position(page)) - from.position;
    const passed = (performance.now() - from.at) / 1000;
    assert.ok(heard > passed - 1, `${heard} s were heard in ${passed} s`);
  });

  test('a reload goes on with what was heard, and a fresh page has it among what was played', async () => {
    const name = 'Plain Harbour';
    await page.reload();
    await goesOn(page, name);
    await player(page).getByRole('button', { name: 'Pause' }).click();
    await hasStatus(page, 'paused');
    await page.reload();
    await hasStatus(page, 'paused');
    await goesOn(page, name);
    await player(page).getByRole('button', { name: 'Close the player' }).click();
    await page.goto(PLAIN_SITE);
    await page.getByRole('heading', { name: 'Recently played' }).waitFor();
    const played = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Recently played' }) });
    assert.equal(await played.getByRole('listitem').first().getByRole('link').innerText(), name);
    assert.equal(await player(page).count(), 0, 'what was closed stays closed');
  });

  test('the next stream within five seconds where nobody answers at the first, and reports it', async () => {
    const [dead] = STATIONS['Half Dead Harbour'];
    await playsTheNext({ id: site.farm.idOf('Half Dead Harbour'), name: 'Half Dead Harbour' }, dead.address);
  });

  test('the next stream within five seconds where the first takes the call and keeps silent', async () => {
    const station = await addSilentStation(site.farm);
    await playsTheNext(station, station.silentAddress);
  });

  test('the secure streams of a station on a secure page, and says why it cannot play the others', async () => {
    await using secure = await open(site, `${SITE}station/${site.farm.idOf('Secure Harbour')}`);
    await secure.page.getByRole('article').getByRole('button', { name: 'Play Secure Harbour' }).click();
    await isPlaying(secure.page);
    assertAudible(await listen(secure.page), 'by HTTPS');
    await secure.page.goto(`${SITE}station/${site.farm.idOf('Plain Harbour')}`);
    await secure.page.getByRole('article').getByRole('button', { name: 'Play Plain Harbour' }).click();
    await player(secure.page).getByRole('alert').getByText('doesn’t offer a secure stream').waitFor();
    const offered = await player(secure.page)
      .getByRole('link', { name: 'Open in another player' })
      .getAttribute('href');
    assert.match(await site.served.get(offered ?? ''), /^http:\/\/icecast\.radio-haven\.net\/mp3/m);
    assert.deepEqual(secure.complaints.all(), []);
  });

  test('and nothing went wrong in the page', () => assert.deepEqual(listener.complaints.all(), []));

  async function playsTheNext({ id, name }: { id: string; name: string }, lost: string): Promise<void> {
    await page.goto(`${PLAIN_SITE}station/${id}`);
    const play = page.getByRole('article').getByRole('button', { name: `Play ${name}` });
    await play.waitFor();
    const began = performance.now();
    await play.click();
    await isPlaying(page);
    const took = performance.now() - began;
    assert.ok(took < NEXT_STREAM_MS, `it took ${took} ms`);
    assertAudible(await listen(page), name);
    const reported = await waitUntil('the report', async () => {
      const { rows } = await site.farm.pool.query<{ station: string }>(REPORTED, [lost]);
      return rows[0];
    });
    assert.equal(reported.station, id);
  }
});

async function open(site: OpenSite, address: string): Promise<Listener> {
  const listener = await site.listener();
  await installMeter(listener.page);
  await listener.page.goto(address);
  return listener;
}

/** By itself, or by a press of play where the browser wants one after a reload. */
async function goesOn(page: Page, name: string): Promise<void> {
  const ready = page.locator(
    'section[aria-label="Player"]:is([data-status="playing"], [data-status="paused"])',
  );
  await ready.waitFor();
  assert.match(await player(page).innerText(), new RegExp(name));
  if ((await ready.getAttribute('data-status')) === 'paused')
    await player(page)
      .getByRole('button', { name: `Play ${name}` })
      .click();
  await isPlaying(page);
}
