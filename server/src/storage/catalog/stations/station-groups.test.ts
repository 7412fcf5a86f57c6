import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../../test/database/database.ts';
import { transaction } from '../../db/transaction.ts';
import { ensureGenres, listGenres } from './station-groups.ts';
import { catalogueVersion } from '../../../../test/database/catalogue/edit-catalogue.ts';

test('the taxonomy fills an empty table, and changes nothing the second time', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  const earlier = await catalogueVersion(pool);
  const added = await transaction(pool, ensureGenres);
  const genres = await listGenres(pool);
  assert.equal(genres.length, added);
  assert.ok(added > 100, 'a real taxonomy');
  assert.equal(await transaction(pool, ensureGenres), 0);
  assert.deepEqual(await listGenres(pool), genres);
  assert.equal(await catalogueVersion(pool), earlier + 1);
});

test('what was changed is mended, and what the taxonomy does not know is kept', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  await transaction(pool, ensureGenres);
  const [, second] = await listGenres(pool);
  assert.ok(second);
  await pool.query("UPDATE genres SET name = 'Other' WHERE id = $1", [second.id]);
  await pool.query("INSERT INTO genres (id, slug, name, position) VALUES (999999, 'gone', 'Gone', 9999)");
  const earlier = await catalogueVersion(pool);
  assert.equal(await transaction(pool, ensureGenres), 1);
  assert.equal(await catalogueVersion(pool), earlier + 1);
  const genres = await listGenres(pool);
  assert.deepEqual(genres[1], second);
  assert.equal(genres.at(-1)?.slug, 'gone');
});

test('every genre hangs on a root', async () => {
  await using database = await testDatabase();
  await transaction(database.pool, ensureGenres);
  const genres = await listGenres(database.pool);
  const parents = new Map(genres.map(({ id, parent_id }) => [id, parent_id]));
  for (const { id, slug } of genres) {
    let above: number | null | undefined = id;
    for (let depth = 0; typeof above === 'number' && depth < 10; depth += 1) above = parents.get(above);
    assert.equal(above, null, slug);
  }
});
