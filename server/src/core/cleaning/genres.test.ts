import assert from 'node:assert/strict';
import { test } from 'node:test';
import taxonomy from '../../storage/catalog/stations/genre-taxonomy.json' with { type: 'json' };
import { genresOf, genresOfTag, MAX_GENRES } from './genres.ts';

test('the taxonomy holds together', () => {
  const slugs = new Set(taxonomy.genres.map(({ slug }) => slug));
  assert.equal(slugs.size, taxonomy.genres.length);
  assert.equal(new Set(taxonomy.genres.map(({ id }) => id)).size, taxonomy.genres.length);
  for (const { slug, parent } of taxonomy.genres) assert.ok(parent === null || slugs.has(parent), slug);
  for (const [tag, mapped] of Object.entries(taxonomy.tagMap)) {
    assert.ok(mapped.length > 0 && mapped.every((slug) => slugs.has(slug)), tag);
  }
});

test('a tag by the map, by a pattern without accents, or not at all', () => {
  const cases: Record<string, string[]> = {
    pop: ['pop'],
    ' Classic Rock ': ['classic-rock'],
    'Musique Française': ['chanson'],
    'salsa dura y brava': ['salsa'],
    'русский рэп 2020': ['slavic'],
    weihnachtsmusik: ['holiday'],
    méxico: [],
    MÉXICO: [],
    'radio online': [],
    nonsense: [],
    constructor: [],
    '': [],
    '---': [],
  };
  for (const [tag, slugs] of Object.entries(cases)) assert.deepEqual([...genresOfTag(tag)], slugs, tag);
});

test('ancestors and roots give way to what is more specific', () => {
  const cases: [string[], string[]][] = [
    [['rock', 'classic rock'], ['classic-rock']],
    [
      ['classic rock', 'rock', 'jazz'],
      ['classic-rock', 'jazz'],
    ],
    [['music'], ['music']],
    [['music', 'news'], ['news']],
    [['pop', 'Pop', 'pop music'], ['pop']],
  ];
  for (const [tags, slugs] of cases)
    assert.deepEqual(genresOf(tags, 'x'), { slugs, inferred: false }, String(tags));
});

test('the name speaks only when no tag does', () => {
  assert.deepEqual(genresOf(['jazz'], 'Rock FM'), { slugs: ['jazz'], inferred: false });
  assert.deepEqual(genresOf(['méxico'], 'Rock FM'), { slugs: ['rock'], inferred: true });
  assert.deepEqual(genresOf([], 'Radio Clásica'), { slugs: ['classical'], inferred: true });
  assert.deepEqual(genresOf([], 'BEST HİT'), { slugs: ['top-40'], inferred: true });
  assert.deepEqual(genresOf([], 'Новости 24'), { slugs: ['news'], inferred: true });
  assert.deepEqual(genresOf([], 'Rockford Éthique Popö'), { slugs: [], inferred: false });
});

test('a station that claims everything is given the first few', () => {
  const tags = ['jazz', 'blues', 'pop', 'rock', 'salsa', 'tango', 'opera', 'piano', 'news', 'comedy'];
  assert.deepEqual(genresOf(tags, 'x').slugs.length, MAX_GENRES);
});
