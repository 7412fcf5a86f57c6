import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLink } from './link.ts';

const token = `${'aZ09-_'.repeat(7)}x`;

test('a link is read only when all of it is there', () => {
  assert.deepEqual(parseLink(`#Ann.${token}`), { username: 'Ann', token });
  for (const hash of [
    '',
    '#',
    '#content',
    `#Ann.${token.slice(1)}`,
    `#Ann.${token}x`,
    `#.${token}`,
    `#thirteenchars.${token}`,
    `#A<b>.${token}`,
    `Ann.${token}`,
  ])
    assert.equal(parseLink(hash), undefined, hash);
});
