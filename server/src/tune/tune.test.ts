import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { testApp } from '../../test/http-server.ts';
import { seededDirectory, type SeededDirectory } from '../../test/seeded-directory.ts';
import { announcement, tune } from './tune.ts';

let seeded: SeededDirectory;
let app: FastifyInstance;
before(async () => {
  seeded = await seededDirectory();
  app = testApp([tune({ directory: seeded.directory }), announcement()]).app;
});
after(async () => {
  await app.close();
  await seeded[Symbol.asyncDispose]();
});

const get = (url: string) => app.inject({ url, headers: { host: 'radio.test' } });
const idOf = (name: string): string =>
  `s${seeded.directory.current().stations.find((station) => station.name === name)?.id}`;

test('a station is bare addresses, a line each, without charset or header', async () => {
  const { body, headers, statusCode } = await get(`/Tune.ashx?id=${idOf('Harbour Folk')}`);
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'audio/x-mpegurl');
  assert.equal(
    body,
    'http://stream.example.net/harbourfolk-128.mp3\nhttp://stream.example.net/harbourfolk-64.aac\n',
  );
});

test('formats choose the streams', async () => {
  const { body } = await get(`/tune.ashx?id=${idOf('Harbour Folk')}&formats=aac`);
  assert.equal(body, 'http://stream.example.net/harbourfolk-64.aac\n');
});

test('JSON has every field with its type', async (t) => {
  const { body } = await get(`/Tune.ashx?id=${idOf('Harbour Folk')}&render=json`);
  t.assert.fileSnapshot(body, join(import.meta.dirname, 'golden/station.json'), { serializers: [String] });
});

test('listening options lead to one stream each', async (t) => {
  const { body } = await get(`/Tune.ashx?c=ebrowse&id=${idOf('Harbour Folk')}&partnerId=demo`);
  t.assert.fileSnapshot(body, join(import.meta.dirname, 'golden/options.opml'), { serializers: [String] });
  const [, option = ''] = /URL="http:\/\/radio\.test([^"]+)"/.exec(body) ?? [];
  assert.equal(
    (await get(option.replaceAll('&amp;', '&'))).body,
    'http://stream.example.net/harbourfolk-128.mp3\n',
  );
});

test('a radio that can play none of it hears why, and the file is there', async () => {
  const id = idOf('Harbour Folk');
  const address = 'http://radio.test/service/Audio/notcompatible.enUS.mp3';
  assert.equal((await get(`/Tune.ashx?id=${id}&formats=wma`)).body, `${address}\n`);
  const json = (await get(`/Tune.ashx?id=${id}&formats=wma&render=json`)).json<{ body: { url: string }[] }>();
  assert.deepEqual(
    json.body.map(({ url }) => url),
    [address],
  );
  const { headers, rawPayload } = await get('/service/Audio/notcompatible.enUS.mp3');
  assert.equal(headers['content-type'], 'audio/mpeg');
  assert.ok(rawPayload.length > 10_000);
});

test('what cannot be tuned is a status line to a player and a fault to a program', async () => {
  for (const id of ['s999999999', 'g1005', 'x', '', 'e999999999']) {
    assert.equal((await get(`/Tune.ashx?id=${id}`)).body, '#STATUS: 400\n', id);
    const { head } = (await get(`/Tune.ashx?id=${id}&render=json`)).json<{ head: Record<string, string> }>();
    assert.equal(head['status'], '404');
    assert.equal(head['fault_code'], 'api.methodNotFound');
  }
});
