import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayText, offsetMinutes, zoneAt, zoneName, zoneText } from './zone.ts';

const WINTER = '2026-01-15T12:00:00Z';
const SUMMER = '2026-07-15T12:00:00Z';

const TEXTS: [zone: string, at: string, text: string | undefined, minutes: number | undefined][] = [
  ['Europe/Berlin', WINTER, 'GMT + 1 (CET)', 60],
  ['Europe/Berlin', SUMMER, 'GMT + 2 (CEST)', 120],
  ['Europe/London', WINTER, 'GMT + 0 (GMT)', 0],
  ['Europe/London', SUMMER, 'GMT + 1 (BST)', 60],
  ['America/New_York', WINTER, 'GMT - 5 (EST)', -300],
  ['America/New_York', SUMMER, 'GMT - 4 (EDT)', -240],
  ['America/St_Johns', WINTER, 'GMT - 3:30 (NST)', -210],
  ['Asia/Kolkata', SUMMER, 'GMT + 5:30 (IST)', 330],
  ['Asia/Kathmandu', SUMMER, 'GMT + 5:45', 345],
  ['Asia/Tokyo', SUMMER, 'GMT + 9 (JST)', 540],
  // South of the equator it is the other way round.
  ['Australia/Sydney', WINTER, 'GMT + 11 (AEDT)', 660],
  ['Australia/Sydney', SUMMER, 'GMT + 10 (AEST)', 600],
  ['America/Sao_Paulo', SUMMER, 'GMT - 3', -180],
  ['UTC', SUMMER, 'GMT + 0 (UTC)', 0],
  // The minute before clocks go forward, and the minute they do.
  ['Europe/Berlin', '2026-03-29T00:59:00Z', 'GMT + 1 (CET)', 60],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', 'GMT + 2 (CEST)', 120],
  ['Europe/Berlin', '2026-10-25T00:59:00Z', 'GMT + 2 (CEST)', 120],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', 'GMT + 1 (CET)', 60],
  ['Mars/Olympus_Mons', SUMMER, undefined, undefined],
  ['', SUMMER, undefined, undefined],
];
for (const [zone, at, text, minutes] of TEXTS) {
  test(`${zone || 'no zone'} at ${at} is ${text}`, () => {
    assert.equal(zoneText(zone, Temporal.Instant.from(at)), text);
    assert.equal(offsetMinutes(zone, Temporal.Instant.from(at)), minutes);
  });
}

test('a zone has a name in each language', () => {
  const at = Temporal.Instant.from(SUMMER);
  assert.equal(zoneName('Europe/Paris', 'en', at), 'Central European Time');
  assert.equal(zoneName('Europe/Paris', 'de', at), 'Mitteleuropäische Zeit');
});

test('a coordinate lies in a zone, at sea too', () => {
  assert.equal(zoneAt({ latitude: 51.9, longitude: -8.47 }), 'Europe/Dublin');
  assert.equal(zoneAt({ latitude: 0, longitude: -140 }), 'Etc/GMT+9');
});

const day = (time: string, language: string): string => dayText(Temporal.Instant.from(time), language);

test('a day in the words of a language, the same until midnight in UTC', () => {
  assert.equal(day('2026-01-09T00:00:00Z', 'en'), 'Friday, Jan 9');
  assert.equal(day('2026-01-09T23:59:59.999999Z', 'en'), 'Friday, Jan 9');
  assert.equal(day('2026-01-10T00:00:00Z', 'en'), 'Saturday, Jan 10');
  assert.equal(day('2026-01-09T12:00:00Z', 'de'), 'Freitag, 9. Jan.');
  assert.equal(day('2026-01-09T12:00:00Z', 'ja'), '1月9日金曜日');
});
