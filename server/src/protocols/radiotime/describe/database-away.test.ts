import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import {
  type DescribedDirectory,
  describedDirectory,
  FULL_SHOW,
  FULL_TOPIC,
} from '../../../../test/content/described-directory.ts';
import { testApp } from '../../../../test/apps/http-server.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { createPool } from '../../../storage/db/pool.ts';
import { describe } from './describe.ts';
import { setDatabaseWaitFactor } from '../../../storage/db/wait-factor.ts';

// How long it takes to give up is measured.
setDatabaseWaitFactor(1);

let described: DescribedDirectory;
before(async () => {
  described = await describedDirectory();
});
after(() => described[Symbol.asyncDispose]());

/** A server that takes connections and says nothing, as a database does whose machine is stuck. */
async function openSilentServer(): Promise<AsyncDisposable & { port: number }> {
  const server = createServer((socket) => socket.on('error', () => socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address !== 'string');
  const { port } = address;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.close();
      await Promise.resolve();
    },
  };
}

function appWith(databaseUrl: string) {
  const { directory, clock } = described;
  const db = createPool({ databaseUrl, size: 4, applicationName: 'test' });
  const { app } = testApp(describe({ directory, clock, db, aliases: new Aliases(db) }), { clock });
  const ask = async (url: string) => {
    const start = performance.now();
    const { body, statusCode } = await app.inject({ url, headers: { host: 'radio.test' } });
    assert.equal(statusCode, 200);
    return { body, elapsedMs: performance.now() - start };
  };
  return { ask, close: async () => Promise.all([app.close(), db.end()]) };
}

/** Everything about stations and names is in memory; the rest says that it cannot be told just now. */
async function checkAnswers(databaseUrl: string): Promise<void> {
  const { ask, close } = appWith(databaseUrl);
  const id = described.idOf('Town FM 97.9');
  for (const query of [
    `id=${id}&detail=genre,recommendation,affiliate`,
    `c=composite&detail=listing,schedules&id=${id}`,
  ]) {
    const { body, elapsedMs } = await ask(`/Describe.ashx?${query}`);
    assert.match(body, /<status>200</);
    assert.match(body, /<name>Town FM 97\.9</);
    assert.ok(elapsedMs < 1000, `${query} took ${elapsedMs} ms`);
  }
  const playing = await ask(`/Describe.ashx?c=nowplaying&id=${id}`);
  assert.match(playing.body, /key="station"/);
  for (const c of ['languages', 'genres', 'formats', 'locales']) {
    assert.match((await ask(`/Describe.ashx?c=${c}`)).body, /<status>200<[^]*type="text"/);
  }
  for (const query of [`id=${FULL_SHOW}`, `id=${FULL_TOPIC}`, 'c=countries', 'id=s999999999']) {
    const { body, elapsedMs } = await ask(`/Describe.ashx?${query}`);
    assert.match(body, /<fault_code>service\.unavailable</, query);
    assert.ok(elapsedMs < 1500, `${query} took ${elapsedMs} ms`);
  }
  await close();
}

test('stations are described while the database refuses connections', () =>
  checkAnswers('postgres://nobody@127.0.0.1:1/none'));

test('and while it takes them and says nothing', async () => {
  await using silent = await openSilentServer();
  await checkAnswers(`postgres://nobody@127.0.0.1:${silent.port}/none`);
});
