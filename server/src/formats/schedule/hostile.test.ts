import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Dice } from '../../../test/fuzz/dice.ts';
import { REAL_SCHEDULES, withoutRealData } from '../../../test/content/real-data.ts';
import { occurrencesOf } from './occurrences.ts';
import { PARSERS, detectFormat } from './parse.ts';
import type { ParsedSchedule } from './schedule.ts';

const MUTATIONS = Number(process.env['SCHEDULE_MUTATIONS'] ?? 4000);
const SPICE = [
  '9',
  '-',
  ';',
  ',',
  ':',
  '"',
  '<',
  '&',
  '\n',
  '}',
  'Z',
  '0000',
  'COUNT=9999',
  '=',
  '\u0000',
  'T',
  ']]>',
];
const FROM = Temporal.Instant.from('2026-03-28T00:00:00Z');

/** Cuts, doubles and spices a text at a few places. */
function mutate(text: string, dice: Dice): string {
  let mutated = text;
  for (let n = 1 + dice.below(4); n > 0; n -= 1) {
    const at = dice.below(mutated.length + 1);
    const length = dice.below(dice.chance(0.2) ? 200 : 4);
    const doubled = dice.chance(0.3) ? mutated.slice(at, at + length) : dice.pick(SPICE);
    mutated = mutated.slice(0, at) + doubled + mutated.slice(dice.chance(0.5) ? at + length : at);
  }
  return mutated;
}

test(
  `${MUTATIONS} broken schedules end in entries or in a sentence, none takes half a second of a processor`,
  { skip: withoutRealData },
  () => {
    const dice = new Dice(5);
    const files = readdirSync(REAL_SCHEDULES).filter((name) => name !== 'README.txt');
    const texts = files.map((name) => readFileSync(join(REAL_SCHEDULES, name), 'utf8'));
    let [understood, refused] = [0, 0];
    for (let n = 0; n < MUTATIONS; n += 1) {
      const original = dice.pick(texts);
      const text = mutate(original, dice);
      const started = process.cpuUsage();
      try {
        const parsed = PARSERS.get(detectFormat(original) ?? '')?.(text, { zone: () => 'Europe/Berlin' });
        for (const rule of parsed?.rules ?? []) occurrencesOf(rule, FROM, FROM.add({ hours: 24 * 22 }));
        for (const { title } of parsed?.entries ?? []) assert.ok(title.length >= 1 && title.length <= 300);
        understood += 1;
      } catch (error) {
        assert.ok(error instanceof Error && !(error instanceof assert.AssertionError), text);
        assert.ok(error.constructor === Error, `${error.stack}\n${text}`);
        refused += 1;
      }
      assert.ok(process.cpuUsage(started).user < 500_000, text);
    }
    assert.ok(
      understood > MUTATIONS / 10 && refused > MUTATIONS / 10,
      `${understood} understood, ${refused} refused`,
    );
  },
);

const calendar = (event: string, count: number): string =>
  ['BEGIN:VCALENDAR', ...Array.from({ length: count }, () => event), 'END:VCALENDAR'].join('\n');
const parseText = (format: string, text: string): ParsedSchedule => {
  const parser = PARSERS.get(format);
  assert.ok(parser);
  return parser(text, { zone: () => 'Europe/Berlin' });
};

test('thousands of events that are counted for a century end in a sentence, soon', () => {
  const event = 'BEGIN:VEVENT\nSUMMARY:A\nDTSTART:20260101T060000\nRRULE:FREQ=YEARLY;COUNT=20000\nEND:VEVENT';
  const started = process.cpuUsage();
  const { rules, passedOver } = parseText('ics', calendar(event, 5000));
  assert.ok(process.cpuUsage(started).user < 10_000_000);
  assert.ok(rules.length > 10 && rules.length < 100, `${rules.length}`);
  assert.match(passedOver[0] ?? '', /COUNT is too large/);
});

const FAR = ['+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z', '9999-12-31T23:59:59Z'];
test('times at the end of all time are passed over', () => {
  for (const far of FAR) {
    const spi = `<epg><programme><shortName>A</shortName><location><time time="${far}" duration="PT1H"/></location></programme></epg>`;
    const bbc = JSON.stringify({ data: [{ data: [{ titles: { primary: 'A' }, start: far, end: far }] }] });
    assert.deepEqual([parseText('spi', spi).entries, parseText('bbc', bbc).entries], [[], []], far);
  }
  const endless =
    '<epg><programme><shortName>A</shortName><location><time time="2026-01-01T00:00:00Z" duration="PT9007199254740991S"/></location></programme></epg>';
  assert.deepEqual(parseText('spi', endless).passedOver, ['"A": no time with a duration']);
  const event = 'BEGIN:VEVENT\nSUMMARY:A\nDTSTART:99991231T235959\nRRULE:FREQ=DAILY;COUNT=9\nEND:VEVENT';
  assert.match(
    parseText('ics', calendar(event, 1)).passedOver[0] ?? '',
    /DTSTART "99991231T235959" is not a time/,
  );
});
