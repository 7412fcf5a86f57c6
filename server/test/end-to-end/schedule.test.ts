import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type Service, startService } from './service.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'longwave-schedule-'));
const STATION = 's60';
let service: Service;
/** The hour that has begun half an hour ago, by the real clock, which the service goes by. */
const HOUR = Temporal.Now.instant()
  .round({ smallestUnit: 'minute', roundingMode: 'floor' })
  .subtract({ minutes: 30 });

const xmltvTime = (instant: Temporal.Instant): string =>
  `${instant.toString({ smallestUnit: 'second' }).replaceAll(/[-:TZ]/g, '')} +0000`;
const programme = (title: string, startMinute: number, lengthMinutes: number): string => {
  const start = HOUR.add({ minutes: startMinute });
  return `<programme start="${xmltvTime(start)}" stop="${xmltvTime(start.add({ minutes: lengthMinutes }))}" channel="x"><title>${title}</title></programme>`;
};
const TEXT = `<tv>${programme('Harbour Hour', 0, 180)}${programme('Bulletin', 20, 40)}${programme('Evening Sea', 180, 60)}</tv>`;

before(async () => {
  service = await startService();
  const file = join(folder, 'week.xml');
  writeFileSync(file, TEXT);
  const { stdout } = await longwave('import', 'schedule', file, '--station', STATION);
  assert.match(stdout, /^3 broadcasts from \S+ to \S+, read as xmltv\n {2}3 new shows\n$/);
});
after(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const longwave = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
  run(process.execPath, [MAIN, ...args], { env: { ...process.env, DATABASE_URL: service.databaseUrl } });
const ask = async (path: string): Promise<string> => (await fetch(service.origin + path)).text();
const linesOf = (body: string): string[] =>
  [
    ...body.matchAll(
      /type="link" text="([^"]+)" URL="([^"]+)" guide_id="(p\d+)"[^\n]* start="([^"]+)" duration="(\d+)"/g,
    ),
  ].map(([, text, , , start, duration]) => `${text} ${start} ${duration}`);
const at = (minute: number): string => HOUR.add({ minutes: minute }).toString().slice(0, 19);

test('what was imported is the schedule: from what is on, or from what comes next', async () => {
  const live = linesOf(await ask(`/Browse.ashx?c=schedule&id=${STATION}&forward=true&live=true`));
  assert.deepEqual(live.slice(0, 3), [
    `Harbour Hour ${at(0)} 10800`,
    `Bulletin ${at(20)} 2400`,
    `Evening Sea ${at(180)} 3600`,
  ]);
  const next = linesOf(await ask(`/Browse.ashx?c=schedule&id=${STATION}&forward=true`));
  assert.equal(next[0], `Evening Sea ${at(180)} 3600`);
});

test('what plays now is the bulletin inside the show, as long as it lasts', async () => {
  const answer = await fetch(`${service.origin}/Describe.ashx?c=nowplaying&id=${STATION}`);
  const body = await answer.text();
  const [, left = ''] =
    /text="Bulletin" guide_id="p\d+" seconds_remaining="(\d+)" duration="2400" key="show"/.exec(body) ?? [];
  assert.ok(Number(left) > 20 * 60 && Number(left) <= 30 * 60, body);
  // The first who asks has the station asked for its song too, and is told to come back for it.
  assert.match(answer.headers.get('cache-control') ?? '', /max-age=15$/);
  assert.match(await ask(`/Describe.ashx?id=${STATION}`), /<has_schedule>true</);
});

test('the link of a show that is on tunes the station, with the show as its subtext', async () => {
  const schedule = await ask(`/Browse.ashx?c=schedule&id=${STATION}&forward=true&live=true`);
  const [, url = ''] = / text="Harbour Hour" URL="([^"]+)"/.exec(schedule) ?? [];
  const menu = await (await fetch(url.replaceAll('&amp;', '&'))).text();
  assert.match(menu, new RegExp(`guide_id="${STATION}" subtext="Harbour Hour"`));
});

/** The programme of the seeded stations: those with an even number have a show at any time. */
const isScheduled = (line: string): boolean => Number(/guide_id="s(\d+)"/.exec(line)?.[1]) % 2 === 0;
const PUBLISHES_SHOW = / subtext="([^"]+)" .*show_id="p\d+" .*current_track="\1" /;

test('lists tell the show that a station has on air, from the first call on', async () => {
  const body = await ask('/Browse.ashx?c=popular');
  const lines = body.split('\n').filter((line) => line.includes('item="station"'));
  assert.ok(lines.some(isScheduled) && !lines.every(isScheduled));
  for (const line of lines) assert.equal(PUBLISHES_SHOW.test(line), isScheduled(line), line);
});
