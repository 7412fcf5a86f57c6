import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ContainerMachine } from './five-minutes/container-machine.ts';

const PSQL = 'docker compose exec -T postgres psql -qAt -U longwave -c';
/** As an update to a version that has one migration more finds the database. */
const AS_BEFORE = `${PSQL} "DELETE FROM migrations WHERE name LIKE '0038%'; DROP TABLE backups"`;
const IS_UPDATED = `${PSQL} "SELECT count(*) FROM migrations WHERE name LIKE '0038%'"`;
const RUINED = `${PSQL} "UPDATE stations SET name = 'ruined'"`;
const RUN = 'docker compose run --rm -T';
const LIST = 'docker compose exec -T worker ls /var/lib/longwave/backups';

/** Whether the ways back are gone too, which takes four minutes: `IMAGE_BACKUPS=all node scripts/test.ts server/test/drills/install/image.test.ts` */
const IS_LONG = process.env['IMAGE_BACKUPS'] === 'all';

/**
 * What docs/backup.md has an operator of containers type, on a machine where all of them run, and in the long form what
 * docs/upgrading.md has, which leaves `server` and `worker` stopped.
 */
export async function keepAndBringBack(machine: ContainerMachine): Promise<void> {
  const type = (command: string): Promise<string> => machine.type(command);
  const said = await type('docker compose exec -T worker longwave backup');
  const made = fileIn(said, /^(\S+\.dump): [\d,]+ stations, /m);
  const proved = await type(`docker compose exec -T worker longwave verify ${made}`);
  assert.match(proved, /\.dump restores: [\d,]+ rows, equal to the backup\n/);
  assert.ok((await type(LIST)).includes(basename(made)));
  await type('docker compose exec -T worker tar -c -C /var/lib/longwave backups | tar -x');
  for (const end of ['dump', 'json']) {
    const copy = statSync(join(machine.clone, 'backups', basename(made).replace(/dump$/, end)));
    assert.deepEqual([copy.mode & 0o777, copy.size > 0], [0o600, true]);
  }
  if (IS_LONG) await bringBack(machine);
}

/** With podman behind it, Debian's Compose does not show what `run` prints: what it did is looked at. */
async function bringBack(machine: ContainerMachine): Promise<void> {
  const type = (command: string): Promise<string> => machine.type(command);
  const names = (): Promise<string> => type(`${PSQL} 'SELECT name FROM stations ORDER BY 1'`);
  const before = await names();
  assert.notEqual(before.trim(), '');

  // An update makes a restore point, and the way back leads to it.
  await type(AS_BEFORE);
  await type('docker compose up -d');
  const updated = await type('docker compose logs setup');
  const point = fileIn(updated, /restore point: (\S+-restore-point\.dump)\s/);
  assert.match(updated, /Schema +brought up to date \(0038_backups\.sql\)/);
  await type(RUINED);
  await type('docker compose stop server worker');
  await type(`${RUN} setup restore ${point} --replace`);
  assert.equal(await names(), before);

  // As for an image of before, which has no programs to restore by.
  await type(RUINED);
  await type('docker compose exec -T postgres dropdb --username=longwave --force longwave');
  await type('docker compose exec -T postgres createdb --username=longwave longwave');
  const restore = '/usr/lib/postgresql/15/bin/pg_restore --no-owner --exit-on-error';
  await type(`${RUN} --entrypoint sh setup -c '${restore} --dbname="$(cat $DATABASE_URL_FILE)" ${point}'`);
  assert.equal(await names(), before);

  // The schema is that of before again; an update that is told so makes no restore point.
  assert.equal((await type(IS_UPDATED)).trim(), '0');
  await type(`${RUN} setup setup --no-stations --without-backup`);
  assert.equal((await type(IS_UPDATED)).trim(), '1');
}

function fileIn(said: string, pattern: RegExp): string {
  const [, file = ''] = pattern.exec(said) ?? [];
  assert.ok(file.startsWith('/var/lib/longwave/backups/longwave-'), said);
  return file;
}
