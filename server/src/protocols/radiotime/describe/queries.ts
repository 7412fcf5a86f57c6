import { shardOf } from '../../../lib/ids.ts';
import { type RowOf, statement } from '../../../storage/db/statement.ts';

const SHOW = {
  id: 'int8',
  title: 'text',
  hosts: 'text?',
  description: 'text?',
  homepage: 'text?',
  genre_id: 'int8?',
  language_code: 'text?',
  language_name: 'text?',
  country_code: 'text?',
  country_name: 'text?',
  has_topics: 'bool',
} as const;

export type DescribedShowRow = RowOf<typeof SHOW>;

export const findDescribedShow = statement(
  'describe-show',
  SHOW,
  `SELECT s.id, s.title, s.hosts, s.description, s.homepage, s.genre_id, l.code AS language_code,
     l.name AS language_name, c.code AS country_code, c.name AS country_name,
     EXISTS (SELECT FROM topics AS t WHERE t.shard = $2 AND t.show_id = $1) AS has_topics
   FROM shows AS s LEFT JOIN languages AS l ON l.id = s.language_id LEFT JOIN countries AS c ON c.id = s.country_id
   WHERE s.id = $1 AND s.listed`,
).first((id: number) => [id, shardOf(id)]);
