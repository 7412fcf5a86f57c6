import assert from 'node:assert/strict';
import { test } from 'node:test';
import taxonomy from '../../storage/catalog/stations/genre-taxonomy.json' with { type: 'json' };
import { genreOfCategories } from './show-record.ts';

const CASES: [categories: string[], genre: string | undefined][] = [
  [['Technology', 'Tech News'], 'science-tech'],
  [['Society & Culture', 'Documentary'], 'culture'],
  [['Sports', 'Soccer'], 'soccer'],
  [['Sports', 'Comedy'], 'sports'],
  [['News', 'Politics'], 'news'],
  [['Religion & Spirituality', 'Christianity'], 'christian'],
  [['Health & Fitness'], 'health-lifestyle'],
  [['Music', 'Music History'], 'music'],
  [['Music', 'Jazz'], 'jazz'],
  [['jazz'], 'jazz'],
  [['Kids & Family'], 'health-lifestyle'],
  [['True Crime'], 'drama-otr'],
  [['Leisure', 'Video Games'], 'culture'],
  [['Video Games'], 'esports'],
  [['Softwareentwicklung', 'Karriere'], 'science-tech'],
  [['Female host', 'Startups'], 'business'],
  [['Softwareentwicklung', 'News'], 'news'],
  [['Nothing that anybody knows'], undefined],
  [['constructor', '__proto__'], undefined],
  [[], undefined],
];
for (const [categories, genre] of CASES) {
  test(`${categories.join(' > ') || 'nothing'} is ${genre}`, () => {
    assert.equal(genreOfCategories(categories), genre);
  });
}

/** Apple's list, by which nearly every podcast names itself. */
const APPLE =
  'Arts|Books|Design|Fashion & Beauty|Food|Performing Arts|Visual Arts|Business|Careers|Entrepreneurship|Investing|Management|Marketing|Non-Profit|Comedy|Comedy Interviews|Improv|Stand-Up|Education|Courses|How To|Language Learning|Self-Improvement|Fiction|Comedy Fiction|Drama|Science Fiction|Government|History|Health & Fitness|Alternative Health|Fitness|Medicine|Mental Health|Nutrition|Sexuality|Kids & Family|Education for Kids|Parenting|Pets & Animals|Stories for Kids|Leisure|Animation & Manga|Automotive|Aviation|Crafts|Games|Hobbies|Home & Garden|Video Games|Music|Music Commentary|Music History|Music Interviews|News|Business News|Daily News|Entertainment News|News Commentary|Politics|Sports News|Tech News|Religion & Spirituality|Buddhism|Christianity|Hinduism|Islam|Judaism|Religion|Spirituality|Science|Astronomy|Chemistry|Earth Sciences|Life Sciences|Mathematics|Natural Sciences|Nature|Physics|Social Sciences|Society & Culture|Documentary|Personal Journals|Philosophy|Places & Travel|Relationships|Sports|Baseball|Basketball|Cricket|Fantasy Sports|Football|Golf|Hockey|Rugby|Running|Soccer|Swimming|Tennis|Volleyball|Wilderness|Wrestling|Technology|True Crime|TV & Film|After Shows|Film History|Film Interviews|Film Reviews|TV Reviews';

test('every category of the common list leads to a genre that there is', () => {
  const slugs = new Set(taxonomy.genres.map(({ slug }) => slug));
  for (const category of APPLE.split('|')) {
    const genre = genreOfCategories([category]);
    assert.ok(genre !== undefined && slugs.has(genre), `${category}: ${genre}`);
  }
});
