import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readExplanation } from './explanation.ts';
import { readJson } from './read-json.ts';
import { readXml } from './read-xml.ts';

const golden = (file: string): string =>
  readFileSync(join(import.meta.dirname, '../../server/src/protocols/radiotime/tune/golden', file), 'utf8');
const explained = readExplanation(readJson(golden('explained.json')).outlines);

test('what the server explains is the same value in both renderings', () => {
  assert.deepEqual(explained, readExplanation(readXml(golden('explained.opml')).outlines));
});

test('a stream is explained with its place, its days and its last failure', () => {
  const [first = assert.fail(), second = assert.fail(), ...rest] = explained.streams;
  assert.deepEqual(rest, []);
  const { days, ...said } = second;
  assert.deepEqual(said, {
    guideId: 'e1',
    url: 'http://stream.example.net/harbourfolk-128.mp3',
    position: 2,
    code: 'chosen',
    reason: 'comes after all that play, since nothing was heard at the last check',
    verdict: 'dead',
    reliability: 12,
    mediaType: 'mp3',
    codec: 'MPEG 1 Layer 3',
    bitrate: 128,
    checkedAt: new Date('2026-01-09T11:00:00Z'),
    heardAt: new Date('2026-01-08T11:00:00Z'),
    failedAt: new Date('2026-01-09T11:00:00Z'),
    failure: 'the server does not have it',
    failureCode: 'http_404',
    steps: ['connect 12 ms: connected', 'answer 30 ms 404: the server does not have it'],
  });
  assert.equal(days.length, 30);
  assert.deepEqual(days.slice(-6), ['unknown', 'heard', 'unknown', 'mixed', 'silent', 'unknown']);
  const { verdict, codec, checkedAt, failedAt, failure, failureCode } = first;
  const unknown = [verdict, codec, checkedAt, failedAt, failure, failureCode];
  assert.ok(unknown.every((value) => value === undefined));
  assert.deepEqual([first.position, first.days, first.steps], [1, [], []]);
});

test('of the device it is told what it plays and why it is taken for that', () => {
  const { device = assert.fail() } = explained;
  assert.deepEqual([device.id, device.grade, device.tls], ['unknown', 'tested', 'old']);
  assert.match(device.reason, /^nothing in the call/);
  assert.deepEqual(device.formats.slice(0, 3), ['mp3', 'aac', 'ogg']);
  assert.deepEqual(device.playlists, ['m3u', 'pls', 'asx', 'xspf']);
});

test('a directory that does not explain itself gives nothing to read', () => {
  for (const explain of [undefined, 'x', [null, 7]]) {
    const { outlines } = readJson(JSON.stringify({ head: { status: '200' }, body: [], explain }));
    assert.deepEqual(readExplanation(outlines), { device: undefined, streams: [] });
  }
});
