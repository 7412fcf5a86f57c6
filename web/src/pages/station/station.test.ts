import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readExplanation } from '../../../../client/src/explanation.ts';
import { readJson } from '../../../../client/src/read-json.ts';
import type { Song } from '../../items/songs/song.ts';
import { playedBefore, readPlayed } from '../../items/songs/songs-played.ts';
import { dayOf, isOn, isOver, placeOn, readBroadcasts } from './schedule/day.ts';
import { embedCode } from './embed-code.ts';
import { stationFacts } from './station-facts.ts';
import { healthOf, kindOf } from './streams/stream-facts.ts';

/** As the server answers; its own tests hold these files. */
const golden = (file: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../server/src/protocols/radiotime', file), 'utf8');

test('the facts of a station are read from what the directory describes', () => {
  const [outline] = readJson(golden('describe/golden/station.json')).outlines;
  assert.deepEqual(stationFacts(outline?.described), {
    guideId: 's2',
    name: 'Town FM 97.9',
    slogan: 'News & "views"',
    place: 'Bristol, United Kingdom',
    frequency: '97.9 FM',
    language: 'English',
    genre: { id: 'g2010', name: 'Local News' },
    description: 'All that happens in town.',
    homepage: 'http://townfm979.example.net/',
    hasSchedule: true,
  });
});

test('of a station that nobody knows much of, nothing is made up', () => {
  const [outline] = readJson(golden('describe/golden/station-bare.json')).outlines;
  const facts = stationFacts(outline?.described);
  assert.ok(facts);
  assert.deepEqual(
    [facts.slogan, facts.frequency, facts.description, facts.hasSchedule],
    [undefined, undefined, undefined, false],
  );
  assert.equal(stationFacts({ kind: 'show', fields: {} }), undefined);
  assert.equal(stationFacts(undefined), undefined);
});

test('a homepage that would run something is none', () => {
  const fields = { guide_id: 's1', name: 'x', url: 'javascript:alert(1)' };
  assert.equal(stationFacts({ kind: 'station', fields })?.homepage, undefined);
});

test('of a stream its kind and its health are said, as far as they are known', () => {
  const { outlines } = readJson(golden('tune/golden/explained.json'));
  const [first = assert.fail(), second = assert.fail()] = readExplanation(outlines).streams;
  assert.deepEqual([kindOf(first), healthOf(first)], ['AAC · 64 kbit/s', 'unknown']);
  assert.deepEqual([kindOf(second), healthOf(second)], ['MPEG 1 LAYER 3 · 128 kbit/s', 'trouble']);
  assert.equal(healthOf({ verdict: 'plays' }), 'plays');
  assert.equal(kindOf({ codec: undefined, mediaType: undefined, bitrate: 0 }), '');
});

const broadcast = (start: string, duration: string): object => ({
  text: 'Desk',
  guide_id: 'p1',
  start,
  duration,
});
const body = (...lines: object[]): ReturnType<typeof readJson>['outlines'] =>
  readJson(JSON.stringify({ head: { status: '200' }, body: lines })).outlines;

test('times of a schedule are those of the clock they were asked for', () => {
  const [morning, ...rest] = readBroadcasts(
    body(broadcast('2026-03-28T06:00:00', '3600'), { text: 'Nothing' }),
    120,
  );
  assert.ok(morning);
  assert.deepEqual(rest, []);
  assert.equal(morning.startsAt, Date.UTC(2026, 2, 28, 4));
  assert.equal(morning.endsAt, Date.UTC(2026, 2, 28, 5));
  assert.ok(isOn(morning, morning.startsAt) && !isOn(morning, morning.endsAt));
  assert.ok(isOver(morning, morning.endsAt) && !isOver(morning, morning.startsAt));
});

test('a day is the listener’s, from midnight to midnight', () => {
  const now = new Date(2026, 9, 20, 13, 30).getTime();
  const day = dayOf(now);
  assert.equal(day.name, '20261020');
  assert.deepEqual([placeOn(day, day.startsAt - 1), placeOn(day, day.endsAt + 1)], [0, 1]);
  assert.equal(placeOn(day, now), 13.5 / 24);
  assert.equal(dayOf(now, 1).startsAt, day.endsAt);
  assert.equal(dayOf(now, 12).name, '20261101');
});

const song = (title: string, artist?: string): Song => ({ title, artist, startedAt: undefined });

test('what was played is told once, the latest first, without what plays now', () => {
  const before = playedBefore(song('C'), [song('C'), song('B')], [song('B'), song('A'), song('B')]);
  assert.deepEqual(
    before.map(({ title }) => title),
    ['B', 'A', 'B'],
  );
  assert.equal(
    playedBefore(
      undefined,
      [],
      Array.from({ length: 50 }, (_, n) => song(`${n}`)),
    ).length,
    12,
  );
  assert.deepEqual(readPlayed(body({ type: 'text', text: 'No songs known yet' }), 0), []);
  const [played] = readPlayed(body({ text: 'First Light', subtext: '', start: '2026-03-28T06:00:00' }), 60);
  assert.deepEqual(played, { title: 'First Light', artist: undefined, startedAt: Date.UTC(2026, 2, 28, 5) });
});

test('the code for another page holds the name as text, whatever is in it', () => {
  assert.equal(
    embedCode('https://radio.example.org', 's1', `"><script>'&`),
    '<iframe src="https://radio.example.org/embed/s1" width="360" height="98" style="border:0" title="&#34;&#62;&#60;script&#62;&#39;&#38;"></iframe>',
  );
});
