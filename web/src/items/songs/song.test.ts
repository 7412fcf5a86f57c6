import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdsSeconds, readNowPlaying, readPlaying, songText } from './song.ts';
import { hostOf, webAddress } from '../web-address.ts';

test('an event tells what plays, or that nothing is known', () => {
  const song = {
    text: 'The Duo - First Light',
    title: 'First Light',
    artist: 'The Duo',
    startedAt: '2026-03-28T12:00:00Z',
  };
  const given = readPlaying(JSON.stringify({ id: 's3', song }));
  assert.deepEqual(given, {
    id: 's3',
    song: { title: 'First Light', artist: 'The Duo', startedAt: Date.UTC(2026, 2, 28, 12) },
  });
  assert.ok(given?.song);
  assert.equal(songText(given.song), 'The Duo – First Light');
  assert.deepEqual(readPlaying('{"id":"s3","song":null}'), { id: 's3', song: undefined });
});

test('a song may have no artist and no time', () => {
  const given = readPlaying(
    '{"id":"s3","song":{"text":"News","title":"News","artist":null,"startedAt":null}}',
  );
  assert.deepEqual(given?.song, { title: 'News', artist: undefined, startedAt: undefined });
});

test('what is no event is passed over', () => {
  for (const text of ['', 'null', '[]', '{"song":{}}', '{"id":7}'])
    assert.equal(readPlaying(text), undefined, text);
});

test('without events the song is read from what radios are told', () => {
  const file = join(
    import.meta.dirname,
    '../../../../server/src/protocols/radiotime/describe/golden/now-playing-song.json',
  );
  assert.equal(readNowPlaying(JSON.parse(readFileSync(file, 'utf8')))?.title, 'The <Duo> - First Light');
  for (const nothing of [undefined, {}, { body: [null, { key: 'station', text: 'x' }] }])
    assert.equal(readNowPlaying(nothing), undefined);
});

test('an answer holds as long as it says, within reason', () => {
  for (const [header, seconds] of [
    ['private, max-age=42', 42],
    ['private, max-age=1', 10],
    ['max-age=86400', 300],
    [null, 30],
  ] as const)
    assert.equal(holdsSeconds(header), seconds);
});

test('only addresses of the web become links', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    ' JaVaScRiPt:alert(1)',
    'vbscript:x',
    '//x',
    '',
    undefined,
  ])
    assert.equal(webAddress(text), undefined, String(text));
  assert.equal(hostOf(webAddress('https://www.harbour.example/a') ?? ''), 'harbour.example');
});
