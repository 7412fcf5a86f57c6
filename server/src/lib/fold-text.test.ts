import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldText } from './fold-text.ts';

test('what people type the same folds the same', () => {
  assert.equal(foldText('Música  en-Español!'), 'musica en espanol');
  assert.equal(foldText('𝐑𝐚𝐝𝐢𝐨 ＯＮＥ'), 'radio one');
  assert.equal(foldText('Straße'), 'strasse');
  assert.equal(foldText('  R&B + Soul  '), 'r&b + soul');
  assert.equal(foldText('Радио 7'), 'радио 7');
  assert.equal(foldText('---'), '');
});
