import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTune } from './read-tune.ts';

const stream = { url: 'https://a.example.net/live', guide_id: 'e1', media_type: 'mp3', bitrate: '128' };

test('the streams of a station, in the order of the directory', () => {
  const other = { ...stream, url: 'https://b.example.net/live', bitrate: 64 };
  assert.deepEqual(readTune({ body: [stream, other] }), {
    streams: [
      { address: 'https://a.example.net/live', guideId: 'e1', mediaType: 'mp3', bitrate: 128 },
      { address: 'https://b.example.net/live', guideId: 'e1', mediaType: 'mp3', bitrate: 64 },
    ],
    isIncompatible: false,
  });
});

test('an announcement is no stream of the station', () => {
  const none = { ...stream, reason: 'No stream for this device' };
  assert.deepEqual(readTune({ body: [none] }), { streams: [], isIncompatible: true });
  const silent = { ...stream, reason: 'No stream was heard lately' };
  assert.deepEqual(readTune({ body: [silent] }), { streams: [], isIncompatible: false });
});

test('whatever else is answered has no stream', () => {
  for (const answer of [undefined, null, 'x', 7, {}, { body: 'x' }, { body: [null, 7, {}, { url: 3 }] }])
    assert.deepEqual(readTune(answer), { streams: [], isIncompatible: false });
});
