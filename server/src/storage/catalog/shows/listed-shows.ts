import { statement } from '../../db/statement.ts';

// All listed shows, a thousand ids at a time: an address per part that keeps its shows while others come and go.

/** Ids of one part. */
const SHOWS_A_PART = 1000;

/** The parts that have a listed show: one step along the ids for each, however many shows there are. */
export const listShowParts = statement(
  'listed-show-parts',
  { part: 'int8' },
  `WITH RECURSIVE parts AS (
     (SELECT id / ${SHOWS_A_PART} AS part FROM shows WHERE listed ORDER BY id LIMIT 1)
     UNION ALL
     SELECT (SELECT id / ${SHOWS_A_PART} FROM shows
       WHERE listed AND id >= (p.part + 1) * ${SHOWS_A_PART} ORDER BY id LIMIT 1)
     FROM parts AS p WHERE p.part IS NOT NULL)
   SELECT part FROM parts WHERE part IS NOT NULL`,
).values(() => []);

/** The ids of a part's listed shows, in order. */
export const listShowsOfPart = statement(
  'listed-shows-of-part',
  { id: 'int8' },
  `SELECT id FROM shows WHERE listed AND id >= $1::bigint * ${SHOWS_A_PART} AND id < ($1::bigint + 1) * ${SHOWS_A_PART}
   ORDER BY id`,
).values((part: number) => [part]);
