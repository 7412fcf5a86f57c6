import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSent, relayHead, typeOf } from './relay-answer.ts';

const FLAC = {
  id: 7,
  address: 'http://a.example/live',
  format: 'flac',
  bitrate: 1411,
  verdict: null,
  station_id: 1,
  station_name: 'Harbour',
  relay: null,
};

test('a head says what is sent, and not what the station sends, where that is converted', () => {
  const copied = relayHead(asSent(FLAC, 'c'), undefined, true);
  assert.match(copied, /^HTTP\/1\.0 200 OK\r\nContent-Type: audio\/flac\r\n/);
  assert.match(copied, /\r\nicy-br: 1411\r\n/);
  const converted = relayHead(asSent(FLAC, 'm128'), undefined, true);
  assert.match(converted, /^HTTP\/1\.0 200 OK\r\nContent-Type: audio\/mpeg\r\n/);
  assert.match(converted, /\r\nicy-br: 128\r\n/);
});

test('sound is called what the station calls it, unless that is no sound', () => {
  const aac = { format: 'aac' };
  assert.equal(typeOf(aac, 'audio/aacp'), 'audio/aacp');
  for (const said of ['audio/x-mpegurl', 'audio/mpegurl', 'audio/x-scpls', 'text/html', ''])
    assert.equal(typeOf(aac, said), 'audio/aac', said);
});
