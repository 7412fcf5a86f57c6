import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDirectory } from '../../../src/core/directory/directory.ts';
import { Aliases } from '../../../src/core/directory/lookup/by-any-id.ts';
import { createLog } from '../../../src/lib/log.ts';
import { browseEndpoints } from '../../../src/protocols/radiotime/browse/browse.ts';
import { bumpCatalogue } from '../../../src/storage/catalog/stations/version.ts';
import { transaction } from '../../../src/storage/db/transaction.ts';
import { startServer } from '../../apps/http-server.ts';
import { seededDirectory } from '../../content/seeded-directory.ts';

const VERSIONS = 20;
const READERS = 8;

test('while the directory is swapped under load, no call fails and no menu is of two versions', async (t) => {
  await using seeded = await seededDirectory();
  const { pool, url } = seeded.database;
  const rename = (version: number): Promise<void> =>
    transaction(pool, async (client) => {
      await client.query("UPDATE stations SET name = 'v' || $1::text || ' station ' || id", [version]);
      await bumpCatalogue(client);
    });
  await rename(0);
  const options = { pool, databaseUrl: url, log: createLog({ level: 'silent' }), pauseSeconds: 0.01 };
  await using directory = await openDirectory(options);
  await using server = await startServer(
    browseEndpoints({ directory, db: pool, aliases: new Aliases(pool) }),
  );

  const done = new AbortController();
  let calls = 0;
  const seen = new Set<string>();
  const read = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const response = await fetch(`${server.origin}/Browse.ashx?id=g1000&partnerId=demo`);
      assert.equal(response.status, 200);
      const versions = new Set(
        [...(await response.text()).matchAll(/text="v(\d+) station/g)].map(([, v = '']) => v),
      );
      assert.equal(versions.size, 1, `one menu shows versions ${[...versions].join(' and ')}`);
      for (const version of versions) seen.add(version);
      calls += 1;
    }
  };
  const readers = Array.from({ length: READERS }, read);
  for (let version = 1; version <= VERSIONS; version += 1) {
    await rename(version);
    await sleep(100);
  }
  const deadline = performance.now() + 10_000;
  while (!seen.has(`${VERSIONS}`) && performance.now() < deadline) await sleep(20);
  done.abort();
  await Promise.all(readers);
  t.diagnostic(`${calls} calls saw ${seen.size} versions`);
  assert.ok(seen.has(`${VERSIONS}`), 'the last version was never shown');
  assert.ok(seen.size > VERSIONS / 4, `only ${seen.size} versions were ever shown`);
  assert.ok(calls > 100);
});
