import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../time/wait-until.ts';
import { seededDatabase } from '../../database/database.ts';
import { closedPort } from '../../servers/port-of.ts';
import { WriteBench } from '../saved/write-kill-bench.ts';

/** `WALL_SECONDS=60 node scripts/test.ts server/test/drills/away/resource-walls.test.ts`: for how long each of them lasts. */
const WALL_SECONDS = Number(process.env['WALL_SECONDS'] ?? 2);
const DESCRIPTORS = 256;
const MAIN = join(import.meta.dirname, '../../../src/main.ts');
/** By itself, after what it wants is there again. */
const HEALED_MS = 10_000;

/** Nothing acknowledged is lost, and nothing that was refused is done. */
async function assertKept(bench: WriteBench): Promise<void> {
  const { lost, done, twice, unsound } = await bench.ledger();
  assert.deepEqual({ lost, done, twice, unsound }, { lost: [], done: [], twice: [], unsound: [] });
}

test(`with ${DESCRIPTORS} descriptors and more callers than that nothing ends, and nothing is lost`, async (t) => {
  await using bench = await WriteBench.open();
  const { service } = bench;
  const pid = service.process.pid ?? 0;
  execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${DESCRIPTORS}:${DESCRIPTORS}`]);
  const port = Number(new URL(service.origin).port);
  const sockets: Socket[] = [];
  let turnedAway = 0;
  let turnedAwayInTime = 0;
  await bench.writers.during(async () => {
    await bench.writers.healed();
    for (let n = 0; n < 2 * DESCRIPTORS; n += 1)
      sockets.push(
        connect(port, '127.0.0.1')
          .on('error', () => undefined)
          .on('close', () => (turnedAway += 1)),
      );
    await waitUntil('somebody to be turned away', async () => turnedAway > 0 || undefined);
    await sleep(WALL_SECONDS * 1000);
    turnedAwayInTime = turnedAway;
    for (const socket of sockets) socket.destroy();
    await bench.writers.healed(HEALED_MS);
  });
  const { acknowledged, refused, unknown } = bench.writers;
  t.diagnostic(
    `${turnedAwayInTime} of ${sockets.length} turned away; ${acknowledged} saves acknowledged, ${refused} refused, ${unknown} unknown`,
  );
  assert.equal(service.process.exitCode, null);
  assert.deepEqual(service.log.filter((line) => /failed unexpectedly|uncaught/.test(line)).slice(0, 3), []);
  await assertKept(bench);
});

test('with a full disk PostgreSQL refuses to save, and nothing that it took is lost', async (t) => {
  await using bench = await WriteBench.open(400);
  const { postgres, service, writers } = bench;
  const filler = join(postgres.folder, 'filler');
  let healedSeconds = 0;
  await writers.during(async () => {
    await writers.healed();
    // Until there is no room, whatever PostgreSQL writes meanwhile.
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'], { stdio: 'ignore' });
    const isNoticed = async (): Promise<true | undefined> =>
      /No space left on device/.test(postgres.readLog()) || undefined;
    await waitUntil('PostgreSQL to run out of room', isNoticed, 60_000);
    await waitUntil('a save that is refused', async () => writers.refused > 0 || undefined);
    await sleep(WALL_SECONDS * 1000);
    const menu = await (await fetch(`${service.origin}/Browse.ashx?c=music`)).text();
    assert.match(menu, /<status>200<\/status>/, 'menus are there all the while');
    rmSync(filler);
    // Where the log of its transactions had no room it has ended, and whoever runs it starts it again.
    await postgres.restart();
    const started = performance.now();
    await writers.healed(HEALED_MS);
    healedSeconds = (performance.now() - started) / 1000;
  });
  t.diagnostic(
    `${writers.acknowledged} saves acknowledged, ${writers.refused} refused, ${writers.unknown} unknown; saving again after ${healedSeconds.toFixed(1)} s`,
  );
  assert.equal(service.process.exitCode, null);
  await assertKept(bench);
});

/** A disk of its own, which is memory; what fills it up can be taken away again. */
function makeDisk(size: string): { folder: string; fill(): void; empty(): void } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'w');
      assert.throws(() => {
        for (;;) writeSync(file, Buffer.alloc(4096));
      }, /ENOSPC/);
      closeSync(file);
    },
    empty: () => rmSync(filler),
    [Symbol.dispose]() {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

test('with a full disk for its log the service answers on, and logs again when there is room', async (t) => {
  await using database = await seededDatabase();
  using disk = makeDisk('4m');
  const file = join(disk.folder, 'log');
  const log = openSync(file, 'a');
  const port = await closedPort();
  const settings = {
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: `${port}`,
    PRIVATE_PORT: '0',
    CALLS_PER_ADDRESS: '0',
    LOG_LEVEL: 'debug',
  };
  const env = { ...process.env, DATABASE_URL: database.url, ...settings };
  const service = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', log, log] });
  closeSync(log);
  let asked = 0;
  const ask = async (): Promise<void> => {
    asked += 1;
    const response = await fetch(`http://127.0.0.1:${port}/Browse.ashx?c=music&x=${asked}`);
    assert.match(await response.text(), /<status>200<\/status>/);
  };
  const isReady = (): Promise<true | undefined> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    );
  try {
    await waitUntil('the service', isReady, 180_000);
    disk.fill();
    // More than the log keeps waiting, so that lines are lost and that is told.
    const end = performance.now() + WALL_SECONDS * 1000;
    for (let rounds = 0; rounds < 250 || performance.now() < end; rounds += 1)
      await Promise.all(Array.from({ length: 8 }, ask));
    const askedWhileFull = asked;
    assert.equal(service.exitCode, null, 'it still runs');
    const isTold = async (): Promise<true | undefined> =>
      readFileSync(file, 'utf8').includes('lines were lost') || undefined;
    assert.equal(await isTold(), undefined, 'there was no room');
    const room = performance.now();
    disk.empty();
    await waitUntil('the log', isTold, HEALED_MS);
    t.diagnostic(
      `${askedWhileFull} calls answered while nothing could be logged; told of lost lines after ${((performance.now() - room) / 1000).toFixed(1)} s`,
    );
    disk.fill();
  } finally {
    service.kill('SIGTERM');
  }
  const [code] = await once(service, 'exit');
  assert.equal(code, 0, 'it stops in good order with a full disk too');
});
