import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listMigrations } from './migrate.ts';
import { effectOf } from './migration-effects.ts';

const waits = (text: string): string | undefined => effectOf({ text }).waits;

test('a migration that only adds makes nobody wait', () => {
  assert.deepEqual(
    effectOf({ text: 'CREATE TABLE a (id int); CREATE INDEX a_id ON a (id); ALTER TABLE a ADD b int;' }),
    {
      waits: undefined,
      breaksOlder: false,
    },
  );
});

test('what waits is named, whatever comments and texts say', () => {
  assert.equal(waits('CREATE UNIQUE INDEX b_id ON b (id)'), 'writes to b wait while an index is built');
  assert.equal(waits('-- UPDATE a;\nALTER TABLE b\n  ADD COLUMN c int'), 'b is locked for a moment');
  assert.equal(waits('ALTER TABLE b ALTER COLUMN c TYPE bigint'), 'b is rewritten');
  assert.equal(waits('ALTER TABLE b ADD CONSTRAINT c CHECK (d > 0)'), 'all of b is read');
  assert.equal(waits('ALTER TABLE b ADD CONSTRAINT c CHECK (d > 0) NOT VALID'), 'b is locked for a moment');
  assert.equal(waits("UPDATE b SET c = 'DROP TABLE d; UPDATE e'"), 'rows of b are changed');
  assert.equal(waits('DO $$ BEGIN DROP TABLE a; END $$'), 'runs a script: read it');
});

test('what older servers still use is not taken away unnoticed', () => {
  for (const text of ['DROP TABLE a', 'ALTER TABLE a DROP COLUMN b', 'ALTER TABLE a RENAME TO b'])
    assert.equal(effectOf({ text }).breaksOlder, true, text);
  const [newest] = listMigrations().toReversed();
  assert.equal(newest && effectOf(newest).breaksOlder, false);
});
