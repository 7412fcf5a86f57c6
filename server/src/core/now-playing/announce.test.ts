import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../lib/log.ts';
import { StoreAway, type StationUpdate } from './store.ts';
import { type AnnounceDeps, announce } from './announce.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const MINUTE = 60_000;
const endingIn = (minutes: number) => ({ title: 'x', endsAt: NOW + minutes * MINUTE });

function depsWith(over: Partial<AnnounceDeps> = {}): {
  deps: AnnounceDeps;
  given: StationUpdate[];
  lines: string[];
} {
  const given: StationUpdate[] = [];
  const lines: string[] = [];
  const deps: AnnounceDeps = {
    playing: { publish: async (some) => void given.push(...some) },
    board: { songOf: () => undefined },
    keepSongs: async () => undefined,
    log: createLog({ level: 'info', sink: { write: (line) => lines.push(line) } }),
    ...over,
  };
  return { deps, given, lines };
}

test('a station is left alone for ten minutes, or as long as its song lasts, an hour at most', async () => {
  const { deps, given } = depsWith();
  for (const song of [{ title: 'x' }, endingIn(3), endingIn(20), endingIn(90), undefined])
    await announce(deps, 1, song, NOW);
  assert.deepEqual(
    given.map(({ holdMs = 0, dueInMs }) => [holdMs / MINUTE, dueInMs / MINUTE]),
    [10, 10, 20, 60, 10].map((minutes) => [minutes, minutes]),
  );
});

test('times that cannot be are not believed', async () => {
  const { deps, given } = depsWith();
  const day = 24 * 60 * MINUTE;
  await announce(deps, 1, { title: 'x', startedAt: NOW - 3 * day, endsAt: NOW + day }, NOW);
  await announce(deps, 1, { title: 'x', startedAt: NOW + MINUTE, endsAt: NOW - MINUTE }, NOW);
  for (const { heard } of given) {
    assert.ok(typeof heard === 'object');
    assert.deepEqual([heard.startedAt, heard.endsAt], [NOW, undefined]);
  }
});

test('a song that cannot be kept is shown all the same, and the operator is told', async () => {
  const { deps, given, lines } = depsWith({ keepSongs: () => Promise.reject(new Error('no database')) });
  await announce(deps, 7, { title: 'x' }, NOW);
  assert.equal(given.length, 1);
  assert.match(lines.join(''), /"level":"warn".*"station":"s7".*shown but could not be stored/);
});

test('where nothing can be told, the broadcaster learns to send it again', async () => {
  const { deps } = depsWith({ playing: { publish: () => Promise.reject(new StoreAway('no Redis')) } });
  await assert.rejects(announce(deps, 1, { title: 'x' }, NOW), {
    status: 503,
    code: 'service.unavailable',
    message: /send it again in a minute/,
  });
});
