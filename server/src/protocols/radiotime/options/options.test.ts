import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import {
  BARE_SHOW,
  type DescribedDirectory,
  FULL_SHOW,
  describedDirectory,
} from '../../../../test/content/described-directory.ts';
import { testApp } from '../../../../test/apps/http-server.ts';
import { api } from '../../../app/api.ts';

let described: DescribedDirectory;
let app: FastifyInstance;
let station: string;
before(async () => {
  described = await describedDirectory();
  const { directory, aliases, clock, database } = described;
  app = testApp(api({ directory, aliases, clock, db: database.pool }), { clock }).app;
  station = described.idOf('Town FM 97.9');
});
after(async () => {
  await app.close();
  await described[Symbol.asyncDispose]();
});

const get = async (url: string): Promise<string> => {
  const { body, statusCode } = await app.inject({ url, headers: { host: 'radio.test' } });
  assert.equal(statusCode, 200);
  return body;
};

const golden = (file: string): string => join(import.meta.dirname, 'golden', file);
for (const kind of ['station', 'show', 'nothing']) {
  test(`the options of a ${kind} are as their golden files say`, async (t) => {
    const id = { station, show: FULL_SHOW }[kind] ?? 's999999999';
    t.assert.fileSnapshot(await get(`/Options.ashx?id=${id}&partnerId=demo`), golden(`${kind}.opml`), {
      serializers: [String],
    });
    t.assert.fileSnapshot(await get(`/options.ashx?id=${id}&render=json`), golden(`${kind}.json`), {
      serializers: [String],
    });
  });
}

test('every option leads to an answer', async () => {
  let followed = 0;
  for (const id of [station, described.idOf('Longwave Test Tone'), FULL_SHOW, BARE_SHOW]) {
    const body = await get(`/Options.ashx?id=${id}&formats=mp3`);
    for (const [, url = ''] of body.matchAll(/URL="http:\/\/radio\.test([^"]+)"/g)) {
      const answer = await get(url.replaceAll('&amp;', '&'));
      assert.match(answer, /<status>200</, url);
      followed += 1;
    }
  }
  assert.ok(followed >= 12, `${followed} followed`);
});

test('an id from elsewhere has the options of our item; a malformed one is a fault', async () => {
  assert.equal(await get('/Options.ashx?id=s990001'), await get(`/Options.ashx?id=${station}`));
  assert.match(await get('/Options.ashx?id=what%20ever'), /<fault_code>request\.idInvalid</);
  assert.match(await get('/Options.ashx'), /Required parameter &apos;id&apos;/);
});
