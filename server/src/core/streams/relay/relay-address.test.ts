import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RelayedStream, RelayKeys } from './relay-address.ts';

const KEY = 'a key of thirty-two characters 01';
const NOW = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;
const keys = new RelayKeys(KEY);
const stream = (changes: Partial<RelayedStream> = {}): RelayedStream => ({
  streamId: 77_123,
  variant: 'c',
  who: keys.whoOf('001122334455'),
  format: 'aac',
  ...changes,
});

test('an address that we signed says which stream, and for whom', () => {
  const path = keys.sign(stream(), NOW + HOUR);
  assert.match(path, /^\/r\/1nib\.c\.[0-9a-z]+\.[\w-]{8}\.[\w-]{16}\.aac$/);
  assert.deepEqual(keys.read(path, NOW), { ...stream(), isExpired: false });
  assert.equal(keys.read(path, NOW + 2 * HOUR)?.isExpired, true);
});

test('one for a partner says which, and nobody makes one for another radio of it', () => {
  const partner = keys.partnerTag('quay-1');
  const path = keys.sign(stream({ partner }), NOW + HOUR);
  assert.match(path, /^\/r\/1nib\.c\.[0-9a-z]+\.[\w-]{4}\.[\w-]{8}\.[\w-]{16}\.aac$/);
  assert.deepEqual(keys.read(path, NOW), { ...stream({ partner }), isExpired: false });
  assert.notEqual(partner, keys.partnerTag('quay-2'));
  const [id, variant, until, , who, ...rest] = path.split('.');
  assert.equal(keys.read([id, variant, until, who, ...rest].join('.'), NOW), undefined);
  const home = keys.sign(stream(), NOW + HOUR).split('.');
  assert.equal(keys.read(home.toSpliced(3, 0, partner).join('.'), NOW), undefined);
});

test('it leaves room for a long host name in the 255 characters that old radios keep', () => {
  assert.ok(keys.sign(stream({ streamId: 2 ** 40 }), NOW).length < 70);
});

test('whatever is changed in it, it is not ours any more', () => {
  const path = keys.sign(stream(), NOW + HOUR);
  for (let at = '/r/'.length; at < path.lastIndexOf('.'); at += 1) {
    const other = path[at] === 'x' ? 'y' : 'x';
    const forged = path.slice(0, at) + other + path.slice(at + 1);
    assert.equal(keys.read(forged, NOW), undefined, forged);
  }
  for (const text of ['', '/r/', '/', `${path}/`, `${path}.mp3`, path.replace('/r/', '/R/'), 'é'.repeat(50)])
    assert.equal(keys.read(text, NOW), undefined, text);
});

test('while a key is replaced, addresses of both are good, and afterwards only the new ones', () => {
  const path = keys.sign(stream(), NOW + HOUR);
  const replaced = new RelayKeys('another key of thirty-two characters', [KEY]);
  assert.equal(replaced.read(path, NOW)?.streamId, 77_123);
  assert.equal(new RelayKeys('another key of thirty-two characters').read(path, NOW), undefined);
});

test('a serial cannot be read from it, and two radios differ', () => {
  assert.notEqual(keys.whoOf('001122334455'), keys.whoOf('001122334456'));
  assert.notEqual(keys.whoOf('001122334455'), new RelayKeys(KEY + 'x').whoOf('001122334455'));
});
