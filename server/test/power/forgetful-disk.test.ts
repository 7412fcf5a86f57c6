import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type DiskOptions, ForgetfulDisk, SECTOR } from './forgetful-disk.ts';

const SECTORS = 8;
const filled = (sectors: number, byte: number): Buffer => Buffer.alloc(sectors * SECTOR, byte);

/** Sector by sector, what is on a disk after the work, a cut of its power and a new start. */
function afterCut(
  work: (disk: ForgetfulDisk) => void,
  hadArrived: () => boolean,
  options?: DiskOptions,
): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-disk-'));
  const path = join(folder, 'disk');
  try {
    writeFileSync(path, filled(SECTORS, 0));
    using disk = new ForgetfulDisk(path, options);
    work(disk);
    disk.cutPower(hadArrived);
    const bytes = disk.read(0, SECTORS * SECTOR);
    assert.deepEqual(bytes, readFileSync(path));
    return Array.from({ length: SECTORS }, (_, sector) => bytes[sector * SECTOR] ?? -1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeTwice(disk: ForgetfulDisk): void {
  disk.write(0, filled(4, 1));
  disk.flush();
  disk.write(2 * SECTOR, filled(4, 2));
  assert.deepEqual(disk.read(SECTOR, 2 * SECTOR), Buffer.concat([filled(1, 1), filled(1, 2)]));
}

test('what was flushed is on the disk after a cut, and the rest is as it was before', () => {
  assert.deepEqual(
    afterCut(writeTwice, () => false),
    [1, 1, 1, 1, 0, 0, 0, 0],
  );
});

test('of what was not flushed, any sectors may have arrived', () => {
  let turn = 0;
  assert.deepEqual(
    afterCut(writeTwice, () => (turn += 1) % 2 === 0),
    [1, 1, 1, 2, 0, 2, 0, 0],
  );
});

function cutAtSecondWrite(disk: ForgetfulDisk): void {
  disk.afterWrites(2, () => disk.cutPower(() => false));
  for (let sector = 0; sector < 3; sector += 1) {
    disk.write(sector * SECTOR, filled(1, 3));
    disk.flush();
  }
}

test('power can be cut between a write and its flush', () => {
  assert.deepEqual(
    afterCut(cutAtSecondWrite, () => false),
    [3, 0, 3, 0, 0, 0, 0, 0],
  );
});

test('a disk that lies forgets what it said it had flushed', () => {
  assert.deepEqual(
    afterCut(writeTwice, () => false, { isLying: true }),
    [0, 0, 0, 0, 0, 0, 0, 0],
  );
});
