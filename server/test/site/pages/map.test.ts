import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../time/wait-until.ts';
import { type MapStation, type SeenMap, isOnMap, mapStations, serveSound } from './map-world.ts';
import { type Listener, type OpenSite, PLAIN_SITE, openSite } from '../browser/open-site.ts';

/** `MAP_POINTS=100000` for as many as a map ever has. */
const POINTS = Number(process.env['MAP_POINTS'] ?? 30_000);
/** `MAP_FRAME_MS=32` where nothing else runs: then 95 of 100 frames have to be as short as this. */
const FRAME_MS = Number(process.env['MAP_FRAME_MS'] ?? 0);
/** What the page itself does in half of the frames, on a processor four times as slow; this is no matter of the machine. */
const OWN_MS = 8;

const { stations, fill } = mapStations(POINTS);

/** Colours of the canvas, and how many of its pixels are lights. */
const LOOK = `(() => {
  const canvas = document.querySelector('canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  let amber = 0;
  for (let at = 0; at < data.length; at += 4) {
    colours.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
    if (data[at] > 150 && data[at] - data[at + 2] > 90) amber += 1;
  }
  return { colours: colours.size, amber };
})()`;

/** Times the page's own part of every frame that is drawn, and how long it is from that frame to the next. */
const TIME = `(() => {
  const times = { own: [], between: [] };
  const ask = requestAnimationFrame;
  let [last, isDrawn] = [0, false];
  window.frameTimes = times;
  window.requestAnimationFrame = (draw) => ask((now) => {
    const began = performance.now();
    draw(now);
    times.own.push(performance.now() - began);
    isDrawn = true;
  });
  // Asks first in every frame, and so is the first of the next one.
  const tick = (now) => {
    ask(tick);
    if (isDrawn) times.between.push(now - last);
    [last, isDrawn] = [now, false];
  };
  ask(tick);
})()`;

/** Notes what is written on any canvas, by its middle, in CSS pixels of the sheet that the map is painted on. */
const READ = `(() => {
  window.written = [];
  const { fillText, fillRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, left, top) {
    window.written.push({ text, left, top, width: this.measureText(text).width, font: this.font });
    return fillText.call(this, text, left, top);
  };
  // A sheet begins with the sea.
  CanvasRenderingContext2D.prototype.fillRect = function (...box) {
    if (box[0] === 0 && box[1] === 0 && box[2] > 300) window.written = [];
    return fillRect.apply(this, box);
  };
})()`;

const PLACES = `['header', 'canvas', 'section[data-status]'].map((name) =>
  document.querySelector(name).getBoundingClientRect().toJSON())`;

interface Box {
  left: number;
  top: number;
  bottom: number;
  width: number;
  height: number;
}

interface Written {
  text: string;
  left: number;
  top: number;
  width: number;
}

/** Some of these stations are at the poles, where the map has ended. */
const onMap = (latitude: number): number => Math.max(-84.9, Math.min(84.9, latitude));

const quantile = (times: readonly number[], part: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? Number.NaN;

const timesText = (times: readonly number[]): string =>
  `p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`;

describe(`the map of ${POINTS} stations`, () => {
  let site: OpenSite;
  let listener: Listener;
  let page: Page;
  before(async () => {
    // The places that other houses are at went with the catalogue.
    site = await openSite(fill, { env: { HOME_PLACE: '51.9,-8.47' }, browser: 'chromium' });
    await serveSound(site.served.house);
    listener = await site.listener();
    ({ page } = listener);
  });
  after(async () => {
    await listener?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });

  const count = async (): Promise<number> =>
    Number(await page.locator('[data-count]').getAttribute('data-count'));
  const seen = async (): Promise<SeenMap> => {
    const [latitude = 0, longitude = 0, zoom = 0] = (new URL(page.url()).searchParams.get('at') ?? '')
      .split(',')
      .map(Number);
    const box = await page.locator('canvas').boundingBox();
    assert.ok(box);
    return { latitude, longitude, zoom, width: box.width, height: box.height };
  };
  const open = async (at = ''): Promise<void> => {
    await page.goto(`${PLAIN_SITE}map${at}`);
    await page.locator('[data-count]').waitFor();
    await page.waitForURL('**/map?at=*');
  };
  const zoomedTo = (zoom: number): Promise<true> =>
    waitUntil(`zoom ${zoom}`, async () => Math.abs((await seen()).zoom - zoom) < 0.02 || undefined);

  test('is drawn: land and sea, and the lights of the stations', async () => {
    await open();
    const { colours, amber } = await waitUntil('the lights', async () => {
      const found = await page.evaluate<{ colours: number; amber: number }>(LOOK);
      return found.amber > 500 ? found : undefined;
    });
    assert.ok(colours > 100, `${colours} colours, ${amber} pixels of amber`);
  });

  test('lists what it shows, the most popular first', async () => {
    for (const at of ['20,0,1.25', '48,11,4', '-10,179.9,3']) {
      await open(`?at=${at}`);
      const map = await seen();
      assert.deepEqual([map.latitude, map.longitude, map.zoom], at.split(',').map(Number));
      const inView = stations.filter((station) => isOnMap(map, station));
      assert.ok(inView.length > 20);
      assert.equal(await count(), inView.length, at);
      const [first] = inView.toSorted((one, other) => other.popularity - one.popularity || one.id - other.id);
      assert.ok(first);
      assert.equal(await page.locator('section ol li a').first().innerText(), first.name);
    }
  });

  test('comes closer by button, wheel and key, and the list follows', async () => {
    await open('?at=20,20,2');
    const farther = await count();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await zoomedTo(3);
    await waitUntil('a shorter list', async () => (await count()) < farther || undefined);
    await page.locator('canvas').focus();
    await page.keyboard.press('-');
    await zoomedTo(2);
    await waitUntil('the list as it was', async () => (await count()) === farther || undefined);
    await page.locator('canvas').hover();
    await page.mouse.wheel(0, -240);
    await zoomedTo(3);
    await page.keyboard.press('ArrowRight');
    await waitUntil('a view further east', async () => (await seen()).longitude > 21 || undefined);
  });

  test('a mark of many places comes apart when it is chosen', async () => {
    await open('?at=10,10,1.5');
    const { zoom } = await seen();
    await page.locator('canvas').focus();
    await page.keyboard.press('Enter');
    await waitUntil('a closer view', async () => (await seen()).zoom >= zoom + 0.9 || undefined);
  });

  test('the search in view finds by name alone, and says when there is nothing', async () => {
    await open('?at=30,-30,1.6');
    const all = await count();
    await page.getByRole('searchbox', { name: 'Search in view' }).fill('nandu sohne');
    await waitUntil('fewer', async () => (await count()) < all || undefined);
    assert.ok((await count()) > 0);
    for (const name of await page.locator('section ol li a').allInnerTexts())
      assert.match(name, /Ñandú & Söhne/);
    await page.getByRole('searchbox', { name: 'Search in view' }).fill('no such name');
    await page.getByText('No match in view').waitFor();
  });

  test('hovering names a station, and a click plays it', async () => {
    const lone = loneStation();
    await open(`?at=${lone.latitude.toFixed(3)},${lone.longitude.toFixed(3)},9`);
    const canvas = page.locator('canvas');
    const { width, height } = await seen();
    const position = { x: width / 2, y: height / 2 };
    await canvas.hover({ position });
    await page.getByRole('status').getByText(lone.name, { exact: true }).waitFor();
    await canvas.click({ position });
    await page.locator('section[aria-label="Player"][data-status="playing"]').waitFor();
    assert.ok((await page.getByRole('region', { name: 'Player' }).innerText()).includes(lone.name));
  });

  test('names countries and towns in the language of the page, and no two names overlap', async () => {
    for (const [locale, country] of [
      ['en-GB', 'France'],
      ['de-DE', 'Frankreich'],
    ] as const) {
      await using other = await site.listener({ locale });
      await other.page.addInitScript(READ);
      await other.page.goto(`${PLAIN_SITE}map?at=47,8,5`);
      const written = await waitUntil('the names', async () => {
        const found = await other.page.evaluate<Written[]>('window.written');
        return found.length > 2 ? found : undefined;
      });
      const names = written.map(({ text }) => text);
      for (const name of [country, 'Lyon', 'Munich'])
        assert.ok(names.includes(name), `${name} in ${names.join()}`);
      for (const [at, one] of written.entries())
        for (const two of written.slice(at + 1))
          assert.ok(
            Math.abs(one.left - two.left) >= (one.width + two.width) / 2 || Math.abs(one.top - two.top) >= 12,
            `${one.text} is over ${two.text}`,
          );
    }
  });

  test('a surprise flies to a station that many hear, plays it and says what it is', async () => {
    await open('?at=20,0,2');
    await page.getByRole('button', { name: 'Surprise me' }).click();
    const player = page.locator('section[aria-label="Player"][data-status="playing"]');
    await player.waitFor();
    const nameInPlayer = await player.getByRole('button', { name: /^Open the player: / }).innerText();
    await zoomedTo(7);
    const said = await page.locator('[role="status"] bdi').first().innerText();
    const map = await seen();
    const found = stations.find(({ name }) => name === said) ?? assert.fail(said);
    const away = Math.hypot(onMap(found.latitude) - map.latitude, found.longitude - map.longitude);
    assert.ok(away < 1, `${said} is ${away} degrees from the middle`);
    // The tip names the most popular of a place, which need not be the one that plays.
    const heard = stations.find(({ name }) => name === nameInPlayer) ?? assert.fail(nameInPlayer);
    assert.ok(Math.hypot(onMap(heard.latitude) - map.latitude, heard.longitude - map.longitude) < 0.1);
  });

  test('it fills the window from edge to edge, with the header above and the player beneath', async () => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await open('?at=20,0,2');
      await page.getByRole('button', { name: 'Surprise me' }).click();
      await page.locator('section[aria-label="Player"][data-status="playing"]').waitFor();
      const places = await waitUntil('the map above the player', async () => {
        const found = await page.evaluate<Box[]>(PLACES);
        return found[1]!.bottom <= found[2]!.top + 1 ? found : undefined;
      });
      const [header, map] = places;
      assert.ok(header && map && map.left === 0 && Math.abs(map.top - header.bottom) <= 1);
      assert.ok(map.width >= viewport.width * 0.7 && map.height >= viewport.height * 0.6);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('asks for the song of what is pointed at, and for no other on the way there', async () => {
    const lone = loneStation();
    await open(`?at=${lone.latitude.toFixed(3)},${lone.longitude.toFixed(3)},9`);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/playing')) asked.push(searchParams.get('ids') ?? '');
    });
    const { width, height } = await seen();
    const [x, y] = [width / 2, height / 2];
    for (let step = 10; step >= 0; step--)
      await page.locator('canvas').hover({ position: { x: x + step * 20, y } });
    await page.getByRole('status').getByText(lone.name, { exact: true }).waitFor();
    await waitUntil('the question', async () => asked.includes(`s${lone.id}`) || undefined);
    assert.deepEqual(
      asked.filter((ids) => !ids.includes(',')),
      [`s${lone.id}`],
    );
  });

  test('is moved smoothly on a processor four times as slow', async (t) => {
    await open('?at=40,0,3');
    await page.waitForLoadState('networkidle');
    const driver = await page.context().newCDPSession(page);
    await driver.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.evaluate(TIME);
    await drag(page);
    const { own, between } = await page.evaluate<{ own: number[]; between: number[] }>('window.frameTimes');
    await driver.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    const ownTimes = timesText(own);
    const frameTimes = timesText(between);
    t.diagnostic(`${own.length} frames drawn; own part ${ownTimes}, frame to frame ${frameTimes}`);
    assert.ok(own.length > 20);
    assert.ok(quantile(own, 0.5) <= OWN_MS, ownTimes);
    if (FRAME_MS > 0) assert.ok(quantile(between, 0.95) <= FRAME_MS, frameTimes);
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(listener.complaints.all(), []));
});

/** Around in circles for some seconds, as a hand does that looks for something. */
async function drag(page: Page): Promise<void> {
  const box = await page.locator('canvas').boundingBox();
  assert.ok(box);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  // A mouse does not wait until its last move was drawn.
  const moves: Promise<void>[] = [];
  for (let step = 0; step < 200; step++) {
    moves.push(page.mouse.move(x + 200 * Math.sin(step / 15), y + 90 * Math.sin(step / 9)));
    await sleep(16);
  }
  await Promise.all(moves);
  await page.mouse.up();
}

/** One that no other is close to. */
function loneStation(): MapStation {
  const lone = stations
    .slice(0, 2000)
    .find(
      (station) =>
        Math.abs(station.latitude) < 60 &&
        Math.abs(station.longitude) < 175 &&
        stations.every(
          (other) =>
            other === station ||
            Math.abs(other.latitude - station.latitude) > 0.5 ||
            Math.abs(other.longitude - station.longitude) > 0.5,
        ),
    );
  assert.ok(lone, 'no station stands alone');
  return lone;
}
