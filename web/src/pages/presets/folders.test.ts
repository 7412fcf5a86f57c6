import assert from 'node:assert/strict';
import test from 'node:test';
import type { Folder } from '../../session/calls/preset-calls.ts';
import { chosenFolder, withOrder, withoutPreset } from './folders.ts';

const preset = (id: string, number: number) => ({
  id,
  number,
  guideId: `s${id}`,
  kind: 'station' as const,
  name: id,
  subtext: '',
  image: '',
});
const kitchen: Folder = {
  id: 'f1',
  name: 'Kitchen',
  isDefault: false,
  presets: [preset('1', 1), preset('2', 2), preset('3', 5)],
};
const mine: Folder = { id: 'f2', name: 'Mine', isDefault: true, presets: [preset('4', 1)] };
const shown = (folders: Folder[]) =>
  folders.map(({ presets }) => presets.map(({ id, number }) => `${number}:${id}`).join(' '));

test('another order uses the same buttons of its folder, and touches no other', () => {
  assert.deepEqual(shown(withOrder([kitchen, mine], 'f1', ['3', '1', '2'])), ['1:3 2:1 5:2', '1:4']);
});

test('an order of presets that are gone meanwhile is one of those that are left', () => {
  assert.deepEqual(shown(withOrder([kitchen], 'f1', ['9', '2', '1', '3'])), ['1:2 2:1 5:3']);
});

test('a removed preset leaves its gap: the other buttons keep their numbers', () => {
  assert.deepEqual(shown(withoutPreset([kitchen, mine], 'f1', '2')), ['1:1 5:3', '1:4']);
});

test('without the chosen folder the default one is shown', () => {
  assert.equal(chosenFolder([kitchen, mine], 'f1'), kitchen);
  assert.equal(chosenFolder([kitchen, mine], 'f9'), mine);
  assert.equal(chosenFolder([], undefined), undefined);
});
