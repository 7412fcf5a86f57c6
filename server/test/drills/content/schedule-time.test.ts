import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goOn } from '../../../src/core/on-air/plan.ts';
import { parseIcs } from '../../../src/formats/schedule/ics.ts';
import { parseWeeklyCsv } from '../../../src/formats/schedule/weekly-csv.ts';
import { scheduleWindow } from '../../../src/protocols/radiotime/browse/schedule-menu.ts';
import { Params } from '../../../src/protocols/radiotime/call/params.ts';
import { Dice } from '../../fuzz/dice.ts';
import { rollProgramme, type WeeklyShow, writeCsv, writeIcs } from './weekly-programme.ts';
import { instantMs, localMs, type ZoneTable, zoneTable } from './zone-table.ts';

const CASES = Number(process.env['TIME_CASES'] ?? 20_000);
const SEED = Number(process.env['TIME_SEED'] ?? 20_260_329);
const [FIRST, LAST] = [Date.UTC(2024, 0, 1), Date.UTC(2031, 0, 1)];
const DAY_MS = 86_400_000;
const MONDAY_MS = Date.UTC(2024, 0, 1);

const tables = Intl.supportedValuesOf('timeZone').map((zone) => zoneTable(zone, FIRST, LAST));
/** Every change of clocks there is, and of zones without any a moment in the middle. */
const moments = tables.flatMap((table): { table: ZoneTable; atMs: number }[] => {
  const changes = table.spans.slice(1).map(({ fromMs }) => ({ table, atMs: fromMs }));
  return changes.length > 0 ? changes : [{ table, atMs: Date.UTC(2027, 5, 15, 12) }];
});

interface Aired {
  title: string;
  startMs: number;
  endMs: number;
}

/** What is on air around a moment, by arithmetic: every start and end by the clock, then looked up in the table. */
function expected(shows: readonly WeeklyShow[], table: ZoneTable, fromMs: number, untilMs: number): Aired[] {
  const aired: Aired[] = [];
  const week = Math.floor((fromMs - MONDAY_MS) / (7 * DAY_MS));
  for (let n = week - 1; n <= week + 2; n += 1)
    for (const { title, weekday, startMinute, lengthMinutes } of shows) {
      const local = MONDAY_MS + (n * 7 + weekday) * DAY_MS + startMinute * 60_000;
      const startMs = instantMs(table, local);
      const endMs = instantMs(table, local + lengthMinutes * 60_000);
      if (endMs > startMs && startMs >= fromMs && startMs < untilMs) aired.push({ title, startMs, endMs });
    }
  return aired.toSorted((a, b) => a.startMs - b.startMs);
}

function actual(
  shows: readonly WeeklyShow[],
  zone: string,
  asCsv: boolean,
  window: [number, number],
): Aired[] {
  const deps = { zone: () => zone };
  const { rules } = asCsv ? parseWeeklyCsv(writeCsv(shows), deps) : parseIcs(writeIcs(shows, zone), deps);
  const [from, until] = window.map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));
  assert.ok(from && until);
  return goOn(rules, from, until).map(({ rule: { title }, start, end }) => ({
    title,
    startMs: start.epochMilliseconds,
    endMs: end.epochMilliseconds,
  }));
}

test(`${CASES} weeks without gaps, around ${moments.length} changes of clocks in ${tables.length} zones`, (t) => {
  const dice = new Dice(SEED);
  let entries = 0;
  for (let n = 0; n < CASES; n += 1) {
    const { table, atMs } = moments[n % moments.length] ?? dice.pick(moments);
    const shows = rollProgramme(dice);
    const window: [number, number] = [atMs - DAY_MS, atMs + DAY_MS];
    const aired = actual(shows, table.zone, n % 2 === 0, window);
    const where = `case ${n} of seed ${SEED}: ${table.zone} around ${new Date(atMs).toISOString()}`;
    assert.deepEqual(aired, expected(shows, table, ...window), where);
    checkGapless(aired, where);
    entries += aired.length;
  }
  t.diagnostic(`${entries} broadcasts compared`);
  assert.ok(entries > CASES * 3);
});

function checkGapless(aired: readonly Aired[], where: string): void {
  const [first, last] = [aired[0], aired.at(-1)];
  assert.ok(first && last, where);
  for (const [index, { startMs }] of aired.slice(1).entries())
    assert.equal(startMs, aired[index]?.endMs, `${where}: one ends where the next begins`);
  const total = aired.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  assert.equal(total, last.endMs - first.startMs, `${where}: durations add up`);
}

test('what a listener reads is what a clock in the zone shows, and a day is from midnight to midnight', () => {
  const now = Temporal.Instant.fromEpochMilliseconds(FIRST);
  for (const { table, atMs } of moments) {
    for (const minutes of [-90, -30, -1, 0, 1, 30, 90]) {
      const ms = atMs + minutes * 60_000;
      const shown = Temporal.Instant.fromEpochMilliseconds(ms)
        .toZonedDateTimeISO(table.zone)
        .toPlainDateTime();
      assert.equal(shown.toString({ smallestUnit: 'second' }), localText(localMs(table, ms)), table.zone);
    }
    const midnightMs = Math.floor(localMs(table, atMs) / DAY_MS) * DAY_MS;
    const start = localText(midnightMs).slice(0, 10).replaceAll('-', '');
    const { from, until } = scheduleWindow(new Params(new Map([['start', start]])), table.zone, now);
    assert.deepEqual(
      [from.epochMilliseconds, until.epochMilliseconds],
      [instantMs(table, midnightMs), instantMs(table, midnightMs + DAY_MS)],
      `${table.zone} ${start}`,
    );
  }
});

const localText = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

const at = (zone: string, local: string): string =>
  new Date(instantMs(zoneTable(zone, FIRST, LAST), Date.parse(`${local}Z`))).toISOString();

test('the table knows the clocks: Berlin, Troll by two hours, Lord Howe by half of one, Cairo at midnight', () => {
  assert.equal(at('Europe/Berlin', '2026-03-29T02:30'), '2026-03-29T01:00:00.000Z');
  assert.equal(at('Europe/Berlin', '2026-10-25T02:30'), '2026-10-25T00:30:00.000Z');
  assert.equal(at('Antarctica/Troll', '2026-03-29T02:30'), '2026-03-29T01:00:00.000Z');
  assert.equal(at('Australia/Lord_Howe', '2026-10-04T02:15'), '2026-10-03T15:30:00.000Z');
  assert.equal(at('Africa/Cairo', '2026-04-24T00:30'), '2026-04-23T22:00:00.000Z');
});
