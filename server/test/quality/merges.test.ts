import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Pool } from 'pg';
import { poolOf } from '../database/database-server.ts';
import { realDatabase } from '../database/made-databases.ts';
import { withoutRealData } from '../content/real-data.ts';
import { drawMerges, readMerges } from './merges.ts';

let pool: Pool;
before(async () => {
  if (!withoutRealData) pool = poolOf(await realDatabase(), 2);
});
after(() => pool?.end());

test('300 merges are judged, beside those that are made no more, each once', () => {
  const merges = readMerges();
  assert.equal(merges.filter(({ judgement }) => judgement !== 'wrong').length, 300);
  assert.equal(new Set(merges.map(({ record }) => record)).size, merges.length);
});

test(
  'no merge that somebody judged wrong is made any more, but for those we know no rule against',
  { skip: withoutRealData },
  async (t) => {
    const merges = readMerges();
    const { rows } = await pool.query<{ record: string; station_id: number }>(
      'SELECT record, station_id FROM station_records WHERE record = ANY ($1::text[])',
      [merges.flatMap(({ record, joined }) => [record, joined])],
    );
    const stationOf = new Map(rows.map((row) => [row.record, row.station_id]));
    const isJoined = ({ record, joined }: { record: string; joined: string }): boolean =>
      stationOf.has(record) && stationOf.get(record) === stationOf.get(joined);
    const of = (judgement: string) => merges.filter((merge) => merge.judgement === judgement);
    const [right, known] = [of('right'), of('known')];
    t.diagnostic(`${right.filter(isJoined).length} of ${right.length} right ones are made`);
    t.diagnostic(`${known.filter(isJoined).length} of ${known.length} wrong ones are known and made`);
    assert.deepEqual(of('wrong').filter(isJoined), []);
  },
);

test('the sample can be drawn again, and most of it is judged', { skip: withoutRealData }, async (t) => {
  const drawn = await drawMerges(pool);
  assert.equal(drawn.length, 300);
  const judged = new Map(readMerges().map((merge) => [merge.record, merge]));
  const known = drawn.filter(({ record }) => judged.has(record));
  t.diagnostic(`${known.length} of 300 drawn merges are judged`);
  assert.deepEqual(
    known.filter(({ record, joined }) => {
      const merge = judged.get(record);
      return merge?.judgement === 'wrong' && merge.joined === joined;
    }),
    [],
  );
  assert.ok(known.length >= 150, `${known.length}`);
});
