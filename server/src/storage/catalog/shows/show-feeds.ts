import { type RowOf, statement } from '../../db/statement.ts';

const COLUMNS = {
  id: 'int8',
  title: 'text',
  feed_address: 'text?',
  feed_key: 'uuid?',
  listed: 'bool',
} as const;
const LIST = Object.keys(COLUMNS).join(', ');

/** A show as podcast apps know it: by the address of its feed. */
export type ShowFeedRow = RowOf<typeof COLUMNS>;

/** Those of the ids that are shows, unordered. */
export const listShowFeeds = statement(
  'show-feeds-by-ids',
  COLUMNS,
  `SELECT ${LIST} FROM shows WHERE id = ANY ($1::bigint[])`,
).all((ids: readonly number[]) => [ids]);

/** The shows that have one of these feeds, unordered. */
export const listShowsOfFeeds = statement(
  'show-feeds-by-keys',
  COLUMNS,
  `SELECT ${LIST} FROM shows WHERE feed_key = ANY ($1::uuid[])`,
).all((keys: readonly string[]) => [keys]);
