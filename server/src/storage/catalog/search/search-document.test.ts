import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Findable, searchDocument } from './search-document.ts';

const station: Findable = {
  name: 'WNYC New York',
  marks: ['WNYC-FM', '93.9'],
  city: 'New York City',
  cityId: 77,
  places: ['New York', 'United States'],
  countryId: 233,
  genres: [
    { id: 2005, name: 'News' },
    { id: 2000, name: 'Talk' },
  ],
  languages: ['English'],
  about: 'News for New Yorkers',
};

test('each word has the weight of the best field it stands in', () => {
  const { words } = searchDocument(station);
  const weights = Object.fromEntries(words.split(' ').map((word) => word.slice(1).split("':1")));
  const expected = {
    A: 'wnyc new york wnycnew newyork',
    B: 'fm 93.9',
    C: 'city united states news talk english',
    D: `for yorkers city=new city=york city=city city=r77 call=wnyc call=fm freq=93.9 genre=g2005 genre=news
      genre=g2000 genre=talk country=united country=states country=n233`,
  };
  const listed = Object.entries(expected).flatMap(([weight, all]) =>
    all.split(/\s+/).map((word) => [word, weight]),
  );
  assert.deepEqual(weights, Object.fromEntries(listed));
});

test('the key is the name as one word', () => {
  assert.equal(searchDocument(station).nameKey, 'wnycnewyork');
  assert.equal(
    searchDocument({ ...station, name: 'x'.repeat(39).concat(' ').repeat(20) }).nameKey.length,
    300,
  );
});

test('only words of letters, not too short, are what a listener may have meant', () => {
  const { vocabulary } = searchDocument(station);
  assert.deepEqual(
    vocabulary.filter(
      (word) =>
        !['wnyc', 'new', 'york', 'city', 'united', 'states', 'news', 'talk', 'english'].includes(word),
    ),
    [],
  );
  assert.ok(!vocabulary.includes('93.9') && !vocabulary.includes('fm') && !vocabulary.includes('newyork'));
});
