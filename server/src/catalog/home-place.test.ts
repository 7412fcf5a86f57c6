import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabaseWithPlaces } from '../../test/database.ts';
import { findHomePlace } from './home-place.ts';

test('the home place is a coordinate or a city that is known', async () => {
  await using database = await testDatabaseWithPlaces();
  const { pool } = database;
  assert.deepEqual(await findHomePlace(pool, '51.9,-8.47'), { latitude: 51.9, longitude: -8.47 });
  const cork = await findHomePlace(pool, 'Cork, Ireland');
  assert.ok(Math.abs(cork.latitude - 51.9) < 0.1 && Math.abs(cork.longitude + 8.47) < 0.1);
  const portland = await findHomePlace(pool, 'Portland, Maine, USA');
  assert.ok(Math.abs(portland.latitude - 43.66) < 0.1, `${portland.latitude}`);
  for (const unknown of ['Cork', 'Nowhere Atall, Ireland', '95,0', '']) {
    await assert.rejects(findHomePlace(pool, unknown), /HOME_PLACE .* is not known; write a city/);
  }
});
