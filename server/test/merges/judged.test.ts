import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REAL_STATIONS, withoutRealData } from '../real-data.ts';
import { replayImport } from './replay.ts';

interface Judgement {
  verdict: 'right' | 'apart';
  name: string;
  ids: string[];
}

const judgements = readFileSync(join(import.meta.dirname, 'judged.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Judgement => {
    const [verdict, ids = '', name = ''] = line.split(' | ');
    assert.ok(verdict === 'right' || verdict === 'apart', line);
    return { verdict, name, ids: ids.split(' ') };
  });

const ofVerdict = (verdict: Judgement['verdict']): Judgement[] =>
  judgements.filter((one) => one.verdict === verdict);

test('300 merges were judged right, and some of what must stay apart, each once', () => {
  assert.equal(ofVerdict('right').length, 300);
  assert.ok(ofVerdict('apart').length >= 50);
  assert.ok(judgements.every(({ ids }) => ids.length > 1 && new Set(ids).size === ids.length));
});

const said = ({ ids, name }: Judgement): string => `${ids.join(' ')} ${name}`;

/** Read once: it takes half a minute. */
const replayed = withoutRealData ? undefined : await replayImport(REAL_STATIONS);

test('what was judged is so', { skip: withoutRealData }, (t) => {
  const stations = replayed ?? assert.fail('not read');
  const stationsOf = ({ ids }: Judgement): number =>
    new Set(ids.map((id) => stations.get(id) ?? assert.fail(id))).size;
  const parted = ofVerdict('right').filter((one) => stationsOf(one) !== 1);
  const joined = ofVerdict('apart').filter((one) => stationsOf(one) !== one.ids.length);
  t.diagnostic(`${new Set(stations.values()).size} stations of ${stations.size} records`);
  assert.deepEqual(parted.map(said), [], 'judged to be one station');
  assert.deepEqual(joined.map(said), [], 'judged to be several');
});

test('one wrong record does not name a station: N-JOY is called so', { skip: withoutRealData }, () => {
  const stations = replayed ?? assert.fail('not read');
  // Of an address of NDR: two records call it N-JOY, and several MYXX FM (MIX FM Dallas).
  assert.equal(stations.get('89706c35-a6ad')?.name, 'N-JOY');
  assert.notEqual(stations.get('9bcb9773-d705'), stations.get('89706c35-a6ad'), 'MYXX FM is another station');
});
