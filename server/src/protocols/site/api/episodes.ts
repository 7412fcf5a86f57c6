import { guideId, numberOf } from '../../../lib/guide-id.ts';
import { listLatestTopics } from '../../../storage/catalog/shows/latest-topics.ts';
import type { SiteAnswer, SiteCall } from '../session/site-endpoint.ts';
import type { SiteApiContext } from './deps.ts';
import { invalid } from './fields.ts';

/** Of one call; who follows more asks again for the others. */
const MAX_SHOWS = 100;
/** What a listener who looks in once in a while has missed; older ones are on the show's page. */
const EPISODES_EACH = 5;

/**
 * The latest episodes of the shows somebody subscribes to, with or without an account. A show that is no longer in the
 * directory has none.
 */
export async function listEpisodes({ query }: SiteCall, { db }: SiteApiContext): Promise<SiteAnswer> {
  const ids = new Set((query.get('shows') ?? '').split(',').filter(Boolean));
  if (ids.size > MAX_SHOWS) throw invalid('shows', `Name at most ${MAX_SHOWS} shows in a call`);
  const numbers = [...ids].map((id) => {
    const number = numberOf('p', id);
    if (number === undefined) throw invalid('shows', 'Name shows by their ids, as in shows=p1,p2');
    return number;
  });
  const rows = numbers.length === 0 ? [] : await listLatestTopics(db, numbers, EPISODES_EACH);
  return {
    json: {
      episodes: rows.map((row) => ({
        guideId: guideId('t', row.id),
        name: row.title,
        showId: guideId('p', row.show_id),
        show: row.show_title,
        seconds: row.duration_seconds,
        publishedAt: row.published_at.toString({ smallestUnit: 'second' }),
      })),
    },
  };
}
