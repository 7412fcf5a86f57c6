import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlayerItem } from '../player/engine/state.ts';
import { accountPresets } from './account-presets.ts';
import { presetBeside, stationPresets } from './station-presets.ts';

const station = (guideId: string): PlayerItem => ({ kind: 'station', guideId, name: guideId });
const THREE = ['s1', 's2', 's3'].map(station);
const beside = (guideId: string | undefined, step: 1 | -1, presets = THREE): string | undefined =>
  presetBeside(presets, guideId, step)?.guideId;

test('the next preset and the one before go round', () => {
  assert.deepEqual([beside('s1', 1), beside('s2', 1), beside('s3', 1)], ['s2', 's3', 's1']);
  assert.deepEqual([beside('s1', -1), beside('s2', -1), beside('s3', -1)], ['s3', 's1', 's2']);
});

test('what is no preset is before the first and after the last', () => {
  assert.deepEqual([beside('s9', 1), beside('s9', -1), beside(undefined, 1)], ['s1', 's3', 's1']);
});

test('where there is no other, there is nothing to go to', () => {
  assert.equal(beside('s1', 1, []), undefined);
  assert.equal(beside('s1', 1, [station('s1')]), undefined);
  assert.equal(beside('s1', -1, [station('s1')]), undefined);
});

test('presets of an account go before those of the browser; shows and what is gone are passed over', () => {
  assert.deepEqual(stationPresets(), []);
  const preset = { id: '1', subtext: '', image: '', number: 1, name: 'One' };
  accountPresets.set('ann', [
    {
      id: 'f1',
      name: 'Kitchen',
      isDefault: true,
      presets: [
        { ...preset, guideId: 'p1', kind: 'show' },
        { ...preset, guideId: 's2', kind: 'station', isGone: true },
        { ...preset, guideId: 's3', kind: 'station' },
        { ...preset, guideId: 'u4', kind: 'url', url: 'http://mine/' },
      ],
    },
  ]);
  assert.deepEqual(
    stationPresets().map(({ guideId, address }) => [guideId, address]),
    [
      ['s3', undefined],
      ['u4', 'http://mine/'],
    ],
  );
  accountPresets.forget();
});
