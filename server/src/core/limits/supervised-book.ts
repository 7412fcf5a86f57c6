import type { SupervisorLink } from '../../net/processes/supervisor-link.ts';
import type { BookAnswer, BookEntry, BucketBook } from './bucket-book.ts';

const EXCHANGE = 'buckets';
/** What the first process tells all others. */
export const LOW_BUCKETS = 'low buckets';

/* oxlint-disable no-unsafe-type-assertion -- between processes of one program */

export const answersFromBook = (book: BucketBook) => ({
  [EXCHANGE]: (what: unknown) => book.exchange(...(what as [BookEntry[], boolean])),
});

/** The book that the first process of a machine keeps, as another one sees it. */
export const supervisedBook = (
  link: SupervisorLink,
  onLow: (low: readonly [string, number][]) => void,
): BucketBook => {
  link.onTold(LOW_BUCKETS, (low) => onLow(low as [string, number][]));
  return {
    exchange: async (entries, exactly) => (await link.ask(EXCHANGE, [entries, exactly])) as BookAnswer,
  };
};
