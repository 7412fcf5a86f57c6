import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { callUrl } from './client.ts';

test('a call repeats who is asking after its own parameters', () => {
  const options = { baseUrl: 'http://radio.test', partnerId: 'demo', formats: ['mp3', 'aac'] };
  const url = callUrl(options, '/Browse.ashx', { c: 'local' });
  assert.equal(
    url.pathname + decodeURIComponent(url.search),
    '/Browse.ashx?c=local&formats=mp3,aac&partnerId=demo',
  );
});

test('what kind of device it is goes with every call', () => {
  const url = callUrl({ baseUrl: 'http://radio.test', device: 'mpd' }, '/Tune.ashx', { id: 's1' });
  assert.equal(url.search, '?id=s1&device=mpd');
});

test('what is not known is not sent', () => {
  assert.equal(
    callUrl({ baseUrl: 'http://radio.test' }, '/Browse.ashx', {}).href,
    'http://radio.test/Browse.ashx',
  );
});

test('the client runs in a browser: nothing outside the kit is taken from Node', () => {
  const files = globSync('{,xml/}*.ts', { cwd: import.meta.dirname }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  assert.ok(files.length > 15);
  for (const file of files)
    assert.doesNotMatch(
      readFileSync(join(import.meta.dirname, file), 'utf8'),
      /from 'node:|process\.|Buffer/,
    );
});
