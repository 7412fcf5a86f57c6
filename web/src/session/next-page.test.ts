import assert from 'node:assert/strict';
import test from 'node:test';
import { keepingNext, nextPage, signInFirst } from './next-page.ts';

test('one comes back to the page one came from', () => {
  assert.equal(nextPage('?next=%2Fstation%2Fs12'), '/station/s12');
  const [, search = ''] = signInFirst('/browse?c=local&filter=s:near').split('?', 2);
  assert.equal(nextPage(search), '/browse?c=local&filter=s:near');
});

test('a link never leads out of the site', () => {
  const elsewhere = [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/a\nb',
    '',
  ];
  for (const next of elsewhere) assert.equal(nextPage(`?next=${encodeURIComponent(next)}`), '/presets', next);
});

test('who comes from the menu of a radio goes on to pair it', () => {
  assert.equal(nextPage('?partnerId=kit&formats=mp3&locale=de'), '/radios');
  assert.equal(nextPage('?locale=de'), '/presets');
});

test('the way between signing in and registering keeps where one came from', () => {
  assert.equal(keepingNext('/register', '?partnerId=kit'), '/register?partnerId=kit');
  assert.equal(keepingNext('/register', ''), '/register');
});
