import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item } from '../../items/item.ts';
import type { Section } from '../../items/lists/sections.ts';
import { chosenIn, withChosen } from '../../listing/filters.ts';
import { queryOf } from './columns.ts';
import { listedIn } from './listed-in.ts';
import { partsOf } from './place-parts.ts';

test('a menu of stations says which groups it is about', () => {
  const menus: [query: string, groups: string | undefined][] = [
    ['id=r12', 'r12'],
    ['id=g5&filter=s%3Apopular', 'g5'],
    ['id=r12&filter=s%3Ag5', 'r12,g5'],
    ['c=music', 'music'],
    ['c=lang&filter=l7', 'l7'],
    ['id=a3', 'a3'],
    ['id=n4', 'n4'],
    ['', undefined],
    ['c=lang', undefined],
    ['c=local', undefined],
    ['c=trending', undefined],
    ['c=podcast', undefined],
    ['id=g5&pivot=name', undefined],
    ['id=g5&filter=s%3A%7EA', undefined],
    ['id=g5&filter=p', undefined],
    ['id=r0&filter=s%3Aunplaced', undefined],
    ['id=s7', undefined],
  ];
  for (const [query, groups] of menus) assert.equal(listedIn(query), groups, query);
});

test('what is chosen is in the address, and no part of the menu', () => {
  const search = withChosen('id=r12', { country: 'DE', quality: '64-' });
  assert.deepEqual(chosenIn(search), { country: 'DE', quality: '64-' });
  assert.equal(queryOf(search), 'id=r12');
  assert.equal(withChosen(search, {}), 'id=r12');
  assert.equal(queryOf('c=popular&country=IE'), 'c=popular&country=IE');
});

const item = (kind: Item['kind'], name: string, href?: string): Item => ({
  kind,
  key: name,
  guideId: undefined,
  name,
  aside: undefined,
  subtext: undefined,
  href,
  seconds: undefined,
  isUnavailable: false,
});
const section = (key: string, ...items: Item[]): Section => ({ key, title: key, items, more: undefined });

test('ways further in are kept apart from stations, which are listed by themselves', () => {
  const jazz = item('link', 'Jazz', '/browse?id=g7');
  const show = item('show', 'The Morning Boat', '/show/p1');
  const near = section('local', item('station', 'Harbour Folk'));
  const {
    ways,
    near: local,
    others,
  } = partsOf(
    [
      near,
      section('stations', item('station', 'Lantern'), item('link', 'More from Lantern', '/browse?id=a3')),
      section('shows', show),
      section('related', item('link', 'Most popular', '/browse?id=g5&filter=s%3Apopular'), jazz),
      section('loose-4', item('text', 'Nothing here yet')),
    ],
    'g5',
  );
  assert.deepEqual(ways, [jazz]);
  assert.equal(local, near);
  assert.deepEqual(
    others.map(({ items }) => items),
    [[show]],
  );
});
