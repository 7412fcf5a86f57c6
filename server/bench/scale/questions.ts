import { searchWords } from '../../src/lib/search-words.ts';
import { claimFeeds, type DueFeed, finishFeeds } from '../../src/storage/catalog/feeds/feeds.ts';
import { listNewestTopicsOfGenres } from '../../src/storage/catalog/shows/newest-topics.ts';
import { listShows, listShowsOfGenres, type ShowRow } from '../../src/storage/catalog/shows/shows.ts';
import { findTopic, listTopicsOfShow } from '../../src/storage/catalog/shows/topics.ts';
import { oneOf, type Random } from './random.ts';
import type { Side } from './side.ts';

/** A measurement: `prepare` is not timed; the function it returns runs the query and returns the number of rows. */
export interface Question {
  name: string;
  prepare: (side: Side, random: Random) => Promise<() => Promise<number>>;
}

/** A page of a show's topics and one more, by which the menu knows that there is a next page. */
const PAGE = 51;
const CLAIMED = 25;
const DAY_SECONDS = 86_400;

const SINGLE: readonly Question[] = [
  {
    name: 'topics of a show, first page',
    async prepare({ pool, ...side }, random) {
      const id = longShow(side, random);
      return async () => (await listTopicsOfShow(pool, id, { limit: PAGE })).length;
    },
  },
  {
    name: 'topics of a show, third page',
    async prepare({ pool, ...side }, random) {
      const id = longShow(side, random);
      const before = await listTopicsOfShow(pool, id, { limit: 2 * PAGE });
      return async () => {
        const after = await findTopic(pool, before.at(-1)?.id ?? 0);
        return after ? (await listTopicsOfShow(pool, id, { after, limit: PAGE })).length : 0;
      };
    },
  },
  {
    name: 'newest topics of a genre',
    async prepare(side, random) {
      const { genre_id: genreId } = await aShow(side, random);
      return async () =>
        (await listNewestTopicsOfGenres(side.pool, [genreId ?? 0], { offset: 0, limit: PAGE })).length;
    },
  },
  {
    name: 'newest topics of all genres at once',
    async prepare({ pool, genreIds }) {
      return async () => (await listNewestTopicsOfGenres(pool, genreIds, { offset: 0, limit: PAGE })).length;
    },
  },
  {
    name: 'shows of all genres at once',
    async prepare({ pool, genreIds }) {
      return async () => (await listShowsOfGenres(pool, genreIds, { offset: 0, limit: 11 })).length;
    },
  },
  {
    name: 'search, the title of a show',
    async prepare(side, random) {
      const title = await aTitle(side, random);
      return () => side.search(title, 'p');
    },
  },
  {
    name: 'search, one word of a title',
    async prepare(side, random) {
      const word = oneOf(random, searchWords(await aTitle(side, random)));
      return () => side.search(word, 'p');
    },
  },
  {
    name: 'search, a title with a typing error',
    async prepare(side, random) {
      const title = await aTitle(side, random);
      const at = 1 + Math.floor(random() * (title.length - 2));
      return () => side.search(title.slice(0, at) + title.slice(at + 1), 'p');
    },
  },
  {
    name: 'search for topics, one word',
    async prepare(side, random) {
      const word = oneOf(random, searchWords(await aTitle(side, random)));
      return () => side.search(word, 'p:topic');
    },
  },
  {
    name: 'search for topics, two words',
    async prepare(side, random) {
      const [one, other] = [await aTitle(side, random), await aTitle(side, random)].map(searchWords);
      return () => side.search(`${oneOf(random, one ?? [])} ${oneOf(random, other ?? [])}`, 'p:topic');
    },
  },
];

const CLAIMS: readonly Question[] = [
  {
    name: `claim of ${CLAIMED} due feeds`,
    async prepare({ pool }, random) {
      return async () => {
        const claimed = await claimFeeds(pool, {
          most: CLAIMED,
          leaseSeconds: 120,
          busy: new Map(),
          mostPerHost: 2,
        });
        const outcomes = claimed.map((due) => outcomeOf(due, random));
        lately.set(pool, outcomes);
        return claimed.length;
      };
    },
  },
  {
    name: `writing down how ${CLAIMED} feeds went`,
    async prepare({ pool }) {
      const outcomes = lately.get(pool) ?? [];
      return async () => {
        await finishFeeds(pool, outcomes);
        return outcomes.length;
      };
    },
  },
];

/** Groups that are run in turn: claimed rows must be written. */
export const QUESTIONS: readonly (readonly Question[])[] = [...SINGLE.map((question) => [question]), CLAIMS];

type Outcome = Parameters<typeof finishFeeds>[1][number];
/** The latest claims, to be written next. */
const lately = new WeakMap<Side['pool'], Outcome[]>();

/** Due again immediately, as late as any other, so that the small database does not run out of late ones. */
const outcomeOf = ({ show_id: showId, claimed_at: claimedAt }: DueFeed, random: Random): Outcome => ({
  showId,
  claimedAt,
  dueInSeconds: -random() * DAY_SECONDS,
  intervalSeconds: DAY_SECONDS,
  failures: 0,
  etag: `"${showId}"`,
});

const anId = ({ world }: Pick<Side, 'world'>, random: Random): number =>
  1 + Math.floor(random() * world.shows);

/** Any show with more topics than three pages. */
function longShow(side: Pick<Side, 'world' | 'topicsOf'>, random: Random): number {
  for (;;) {
    const id = anId(side, random);
    if (side.topicsOf(id) > 3 * PAGE) return id;
  }
}

async function aShow(side: Side, random: Random): Promise<ShowRow> {
  const [show] = await listShows(side.pool, [anId(side, random)]);
  if (!show) throw new Error('a loaded show is missing');
  return show;
}

const aTitle = async (side: Side, random: Random): Promise<string> => (await aShow(side, random)).title;
